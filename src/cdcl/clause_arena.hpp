#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "bnnplan/base/literal.hpp"

namespace bnnplan::cdcl {

using ClauseRef = std::uint32_t;

// All clauses one after the other in one block of memory, each after a header of four words: size, flags with
// the number of levels (LBD), and the number of the clause in a proof. A deleted clause stays until its owner
// copies the remaining ones into a new arena.
class ClauseArena {
 public:
  ClauseRef add(std::span<const Lit> literals, bool learned, std::uint32_t lbd,
                std::uint64_t proof_number = 0) {
    assert(literals.size() >= 2);
    if (words_.size() + head_words + literals.size() > 0xffffffff)
      throw std::length_error("clauses of more than 16 GiB");
    assert(lbd < 1u << (32 - lbd_shift));
    const auto ref = static_cast<ClauseRef>(words_.size());
    words_.push_back({static_cast<std::uint32_t>(literals.size())});
    words_.push_back({lbd << lbd_shift | (learned ? learned_flag : 0u)});
    words_.push_back({static_cast<std::uint32_t>(proof_number)});
    words_.push_back({static_cast<std::uint32_t>(proof_number >> 32)});
    words_.insert(words_.end(), literals.begin(), literals.end());
    return ref;
  }

  std::span<Lit> literals(ClauseRef ref) {
    assert(ref + head_words + size(ref) <= words_.size());
    return {words_.data() + ref + head_words, words_[ref].code};
  }
  std::span<const Lit> literals(ClauseRef ref) const {
    assert(ref + head_words + size(ref) <= words_.size());
    return {words_.data() + ref + head_words, words_[ref].code};
  }
  std::uint32_t size(ClauseRef ref) const {
    assert(ref + head_words <= words_.size());
    return words_[ref].code;
  }
  std::uint32_t lbd(ClauseRef ref) const { return flags(ref) >> lbd_shift; }
  bool learned(ClauseRef ref) const { return (flags(ref) & learned_flag) != 0; }
  bool deleted(ClauseRef ref) const { return (flags(ref) & deleted_flag) != 0; }
  std::uint64_t proof_number(ClauseRef ref) const {
    return words_[ref + 2].code | std::uint64_t{words_[ref + 3].code} << 32;
  }

  // Whether it took part in a recent conflict.
  std::uint32_t used(ClauseRef ref) const { return (flags(ref) & used_mask) >> used_shift; }
  void set_used(ClauseRef ref, std::uint32_t used) {
    assert(used <= used_mask >> used_shift);
    words_[ref + 1].code = (flags(ref) & ~used_mask) | used << used_shift;
  }

  void remove(ClauseRef ref) {
    assert(learned(ref) && !deleted(ref));
    words_[ref + 1].code |= deleted_flag;
    wasted_ += head_words + size(ref);
  }
  std::size_t words() const { return words_.size(); }
  std::size_t wasted() const { return wasted_; }

 private:
  static constexpr std::size_t head_words = 4;
  static constexpr std::uint32_t learned_flag = 1, deleted_flag = 2, used_shift = 2, used_mask = 3u << 2,
                                 lbd_shift = 4;

  std::uint32_t flags(ClauseRef ref) const { return words_[ref + 1].code; }

  std::vector<Lit> words_;
  std::size_t wasted_ = 0;
};

}  // namespace bnnplan::cdcl
