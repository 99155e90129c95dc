#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bnnplan/base/bit_count.hpp"

namespace bnnplan::encoding {

// A set of literals over a fixed range of columns, as two bit vectors: which columns, and which of them are
// negated. Sets that are combined with each other must have the same number of words.
class SignedSet {
 public:
  explicit SignedSet(std::size_t words) : words_(words), bits_(2 * words) {}

  void insert(std::size_t column, bool is_negated) {
    members(column / 64) |= std::uint64_t{1} << column % 64;
    if (is_negated) negated(column / 64) |= std::uint64_t{1} << column % 64;
  }

  int size() const {
    int count = 0;
    for (std::size_t word = 0; word < words_; ++word) count += count_ones(bits_[word]);
    return count;
  }

  // The number of literals of this set that are in `other`, and that are there with the other sign.
  std::pair<int, int> count_equal_and_opposite(const SignedSet& other) const {
    int equal = 0;
    int opposite = 0;
    for (std::size_t word = 0; word < words_; ++word) {
      const std::uint64_t both = bits_[word] & other.bits_[word];
      const std::uint64_t differ = bits_[words_ + word] ^ other.bits_[words_ + word];
      equal += count_ones(both & ~differ);
      opposite += count_ones(both & differ);
    }
    return {equal, opposite};
  }

  // The literals of this that are in `other` (or, if `opposite`, whose negations are).
  SignedSet common(const SignedSet& other, bool opposite) const {
    SignedSet result = *this;
    for (std::size_t word = 0; word < words_; ++word) {
      const std::uint64_t differ = bits_[words_ + word] ^ other.bits_[words_ + word];
      result.keep(word, other.bits_[word] & (opposite ? differ : ~differ));
    }
    return result;
  }

  // Removes the columns of `other`.
  void remove(const SignedSet& other) {
    for (std::size_t word = 0; word < words_; ++word) keep(word, ~other.bits_[word]);
  }

  // Requires that the two have no column in common.
  void unite(const SignedSet& other) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
  }

  void negate() {
    for (std::size_t word = 0; word < words_; ++word) negated(word) ^= members(word);
  }

  // Removes the first `count` columns and returns them. Requires count <= size().
  SignedSet take_first(int count) {
    SignedSet rest = *this;
    for (std::size_t word = 0; count > 0; ++word) {
      std::uint64_t left = members(word);
      for (; count > 0 && left != 0; --count) left &= left - 1;
      rest.keep(word, left);
    }
    SignedSet first = *this;
    first.remove(rest);
    *this = std::move(rest);
    return first;
  }

  // Is the literal of the first column negated? False for the empty set.
  bool starts_negated() const {
    for (std::size_t word = 0; word < words_; ++word) {
      if (bits_[word] != 0) return (bits_[words_ + word] >> std::countr_zero(bits_[word]) & 1) != 0;
    }
    return false;
  }

  // Calls visit(column, is_negated) in column order.
  template <typename Visitor>
  void for_each(Visitor visit) const {
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t left = bits_[word]; left != 0; left &= left - 1) {
        const int bit = std::countr_zero(left);
        visit(64 * word + static_cast<std::size_t>(bit), (bits_[words_ + word] >> bit & 1) != 0);
      }
    }
  }

  friend bool operator==(const SignedSet&, const SignedSet&) = default;

  struct Hash {
    std::size_t operator()(const SignedSet& set) const {
      std::uint64_t hash = 0;
      for (const std::uint64_t word : set.bits_) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
      }
      return static_cast<std::size_t>(hash);
    }
  };

 private:
  std::uint64_t& members(std::size_t word) { return bits_[word]; }
  std::uint64_t& negated(std::size_t word) { return bits_[words_ + word]; }
  void keep(std::size_t word, std::uint64_t columns) {
    members(word) &= columns;
    negated(word) &= columns;
  }

  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace bnnplan::encoding
