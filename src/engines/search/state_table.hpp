#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engines/search/hash_index.hpp"

namespace bnnplan {

using StateId = std::uint32_t;

// The set of states seen so far: packed words, numbered in the order of insertion. A state costs its words
// and about nine bytes of hash index.
class StateTable {
 public:
  explicit StateTable(std::size_t words_per_state) : words_(words_per_state) {}  // at least 1

  struct Inserted {
    StateId id;
    bool is_new;
  };
  Inserted insert(const std::uint64_t* words);
  void prefetch(const std::uint64_t* words) const { index_.prefetch(hash(words)); }  // for insert

  const std::uint64_t* operator[](StateId id) const {
    return chunks_[id >> chunk_bits].get() + (id & chunk_mask) * words_;
  }
  std::uint64_t hash_of(const std::uint64_t* words) const { return hash(words); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const;
  std::size_t bytes_of_growth(std::size_t insertions) const;  // at most

 private:
  static constexpr unsigned chunk_bits = 13;
  static constexpr std::size_t chunk_mask = (std::size_t{1} << chunk_bits) - 1;

  std::uint64_t hash(const std::uint64_t* words) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < words_; ++i) value = mixed_hash(value, words[i]);
    return value;
  }

  std::size_t words_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
  HashIndex index_;
};

}  // namespace bnnplan
