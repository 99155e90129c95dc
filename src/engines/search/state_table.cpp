// States in chunks that never move, found by a hash index of their numbers: no allocation per state, no
// copying when it grows.
#include "bnnplan/engines/search/state_table.hpp"

#include <algorithm>
#include <stdexcept>

namespace bnnplan::engines {

StateTable::Inserted StateTable::insert(const std::uint64_t* words, std::uint64_t hash) {
  const auto same = [&](StateId other) {
    const std::uint64_t* known = (*this)[other];
    return words_ == 1 ? *known == *words : std::equal(words, words + words_, known);
  };
  if (const StateId found = index_.find(hash, same); found != no_index) return {found, false};
  if (size_ >= no_index) throw std::length_error("more than 2^32 states");
  const auto id = static_cast<StateId>(size_);
  if ((size_ >> chunk_bits) == chunks_.size()) {
    chunks_.push_back(std::make_unique_for_overwrite<std::uint64_t[]>(words_ << chunk_bits));
  }
  ++size_;
  std::copy_n(words, words_, chunks_.back().get() + (id & chunk_mask) * words_);
  index_.insert(hash, id, [&](StateId other) { return hash_of((*this)[other], words_); });
  return {id, true};
}

std::size_t StateTable::bytes() const {
  return chunks_.size() * (words_ << chunk_bits) * sizeof(std::uint64_t) + index_.bytes();
}

std::size_t StateTable::bytes_of_growth(std::size_t insertions) const {
  const std::size_t rows = (insertions + chunk_mask) & ~chunk_mask;
  return rows * words_ * sizeof(std::uint64_t) + index_.bytes_of_growth(insertions);
}

}  // namespace bnnplan::engines
