#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/engines/search/symmetry.hpp"

namespace bnnplan::engines {

// One representative for all states that permuting interchangeable blocks turns into each other: the one with
// the blocks of each group in ascending order. Immutable; threads may share one.
class CanonicalStates {
 public:
  CanonicalStates() = default;  // without symmetry: every state represents itself
  CanonicalStates(const PackedProblem& problem, std::vector<BlockGroup> groups);

  bool empty() const { return groups_.empty(); }
  const std::vector<BlockGroup>& groups() const { return groups_; }

  // For each block of the canonical state, which block of the state it was, by group.
  using Order = std::vector<std::vector<std::uint32_t>>;

  // Makes a state canonical. `scratch` is reused; `order` is filled in unless null.
  void make_canonical(std::uint64_t* state, Words& scratch, Order* order = nullptr) const;

  // Actions that can be skipped in a canonical state: those for which the two masks have a bit in common. A
  // bit stands for two adjacent blocks: they are equal in the state, and descend in the action.
  std::uint64_t equal_blocks(const std::uint64_t* state, Words& scratch) const;
  std::uint64_t descending_blocks(const std::uint64_t* action, Words& scratch) const;

 private:
  // The blocks of a group as numbers of `width` words, the first word being the most significant.
  struct Layout {
    std::size_t width = 0;
    std::vector<BitWiring> gather, scatter;  // by block
    Words mask;                              // all its bits
  };
  static Layout make_layout(const std::vector<std::vector<std::uint32_t>>& blocks, std::size_t words);
  static void gather(const Layout& layout, const std::uint64_t* words, Words& numbers);
  template <class Compare>
  static std::uint64_t compare_neighbours(const std::vector<Layout>& layouts, const std::uint64_t* words,
                                          Words& scratch, Compare compare);

  std::vector<BlockGroup> groups_;
  std::vector<Layout> state_, action_;
};

}  // namespace bnnplan::engines
