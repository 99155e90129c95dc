#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "bnnplan/engines/search/chunked_array.hpp"
#include "bnnplan/engines/search/hash_index.hpp"
#include "bnnplan/engines/search/packed_bits.hpp"

namespace bnnplan::ranks {

// The nodes, pairs of layer and state, that one rank owns. A node takes the words of its state, which include
// the layer if it fits, 24 bytes, and some seven of a hash index.
class RankNodes {
 public:
  using Id = std::uint32_t;
  static constexpr std::uint32_t no_action = 0xffffffff;

  struct Node {
    // The hash of the previous state, whose owner knows it; for an initial state, its own.
    std::uint64_t parent;
    std::int64_t cost;         // above the least that this many steps could cost
    std::uint32_t action;      // that leads here; no_action for an initial state
    std::uint32_t next_class;  // the first class of actions not yet processed
  };

  RankNodes(std::uint32_t state_bits, std::size_t state_words, std::uint32_t horizon);

  // The hash of a state: determines its owner, and identifies it among ranks.
  std::uint64_t hash_of(const std::uint64_t* state) const;
  static int owner(std::uint64_t hash, int ranks) {
    return static_cast<int>((hash >> 32) * static_cast<std::uint64_t>(ranks) >> 32);
  }

  // no_index if not found.
  Id find(const std::uint64_t* state, std::uint64_t hash, std::uint32_t layer) const;
  Id find(std::uint64_t hash, std::uint32_t layer) const;  // for some state with this hash
  Id add(const std::uint64_t* state, std::uint64_t hash, std::uint32_t layer, const Node& node);
  void prefetch(std::uint64_t hash, std::uint32_t layer) const {
    index_.prefetch(engines::mixed_hash(hash, layer));
  }

  Node& operator[](Id id) { return nodes_[id]; }
  const Node& operator[](Id id) const { return nodes_[id]; }
  void copy_state(Id id, std::uint64_t* state) const;
  std::uint32_t layer(Id id) const;

  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const;
  std::size_t bytes_of_growth(std::size_t insertions) const;  // an upper bound

 private:
  static constexpr unsigned chunk_bits = 13;
  const std::uint64_t* words(Id id) const {
    return chunks_[id >> chunk_bits].get() + (id & ((Id{1} << chunk_bits) - 1)) * stored_words_;
  }
  bool is_state(Id id, const std::uint64_t* state) const;

  std::size_t state_words_, stored_words_;
  unsigned layer_shift_;      // in the last stored word
  std::uint64_t state_mask_;  // of the last word of a state, if the layer is in it
  engines::ChunkedArray<Node, chunk_bits> nodes_;
  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
  engines::HashIndex index_;
};

}  // namespace bnnplan::ranks
