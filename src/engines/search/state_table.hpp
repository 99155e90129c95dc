#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bnnplan/engines/search/hash_index.hpp"

namespace bnnplan::engines {

using StateId = std::uint32_t;

// A set of states: packed words, numbered in the order of insertion. A state costs its words and about nine
// bytes of hash index. A graph has one for each of its shards, which are small at first.
class StateTable {
 public:
  // Requires at least 1 word.
  explicit StateTable(std::size_t words_per_state) : words_(words_per_state), index_(first_slots) {}

  // The hash of a state: for insert(), and to choose a shard by its highest bits.
  static std::uint64_t hash_of(const std::uint64_t* words, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value = mixed_hash(value, words[i]);
    return value;
  }

  struct Inserted {
    StateId id;
    bool is_new;
  };
  Inserted insert(const std::uint64_t* words, std::uint64_t hash);
  void prefetch(std::uint64_t hash) const { index_.prefetch(hash); }  // for insert

  const std::uint64_t* operator[](StateId id) const {
    return chunks_[id >> chunk_bits].get() + (id & chunk_mask) * words_;
  }
  std::size_t size() const { return size_; }
  std::size_t bytes() const;
  std::size_t bytes_of_growth(std::size_t insertions) const;  // an upper bound

 private:
  static constexpr unsigned chunk_bits = 8;
  static constexpr std::size_t chunk_mask = (std::size_t{1} << chunk_bits) - 1;
  static constexpr std::size_t first_slots = 64;

  std::size_t words_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
  HashIndex index_;
};

}  // namespace bnnplan::engines
