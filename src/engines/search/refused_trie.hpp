#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "bnnplan/engines/search/packed_bits.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// The refused prefixes of a problem, to be followed action by action.
class RefusedTrie {
 public:
  using Node = std::uint64_t;
  static constexpr Node outside = 0;  // the actions so far are not the start of a refused prefix
  static constexpr Node refused = ~std::uint64_t{0};  // they are a refused prefix

  explicit RefusedTrie(const Problem& problem);

  bool has(Node node) const { return node <= children_.size(); }  // `outside` or a node of the trie
  bool empty() const { return prefixes_.empty(); }                // then `outside` is the only node
  Node root(const std::uint64_t* state);                          // before the first action
  Node after(Node node, const std::uint64_t* action) const;       // requires a node that is not refused

 private:
  struct Prefix {
    Words mask, initial;  // state & mask == initial
    std::vector<Words> actions;
  };
  struct Less {
    using is_transparent = void;
    bool operator()(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) const;
  };

  Node make_root(std::span<const std::uint32_t> prefixes);

  std::size_t action_words_;
  std::vector<Prefix> prefixes_;
  std::map<std::vector<std::uint32_t>, Node> roots_;   // by the prefixes that an initial state matches
  std::vector<std::map<Words, Node, Less>> children_;  // by node number - 1
};

}  // namespace bnnplan::engines
