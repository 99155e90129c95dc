#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "bnnplan/engines/search/action_table.hpp"
#include "bnnplan/engines/search/packed_bits.hpp"

namespace bnnplan::engines {

// Which of several equally cheap paths a search keeps: the smallest PathOrder, no matter which thread or rank
// finds it, or when. So the plan is the same for any number of threads and ranks, and for a search that was
// resumed. To break ties differently, change the order of the members, and of among_ranks() with it. Members
// that the paths to be compared have in common stay 0.
//
// What one thread processes in an order that is already fixed has no PathOrder, which would have to be stored
// with every node: the first path of its cost stays.
//   RadixQueue: last in, first out, which goes deep (BestFirst::begin_key: two last steps, cheapest first).
//   BestFirst's nodes and goals, SuccessorGraph's edges and last steps: by turns, then by actions.
//   LayeredSearch: the first initial state, then the first edge of each.
//   Search::take: the plan that was found first.
// Actions are numbered by cost, then as enumerated or as shuffled by the seed (ActionTable).
struct PathOrder {
  std::int64_t cost;
  std::uint32_t layer = 0;   // of the node that it continues from
  std::uint64_t parent = 0;  // the hash of that node's state, which does not depend on the number of ranks
  ActionId first = 0, last = 0;  // its steps from there
  auto operator<=>(const PathOrder&) const = default;

  // What decides between ranks if costs are equal, one reduction each: as signed numbers.
  std::array<std::int64_t, 2> among_ranks() const {
    return {layer, static_cast<std::int64_t>(parent ^ std::uint64_t{1} << 63)};
  }
};

// The end of a plan.
struct PathEnd : PathOrder {
  Words tail;  // for each step: the bits of its action, unless its number is above, and the state after it
  auto operator<=>(const PathEnd&) const = default;
};

}  // namespace bnnplan::engines
