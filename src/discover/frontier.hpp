#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/discover/world_facts.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::discovery {

// A question that was never asked.
struct UnseenPair {
  BitValues state, action;
  std::int64_t cost = 0;  // lower bound on the cost of a plan up to and including this step, as far as known
  std::uint32_t step = 0;
};

struct Frontier {
  std::vector<UnseenPair> pairs;  // by step, then in the order of states and actions
  std::size_t seen = 0;           // pairs that were visited and are known
  bool complete = true;           // false: there are more states or actions than were visited
};

// Why the frontier of a problem cannot be computed: it has variables that the network does not define, or a
// discount. "" if it can.
std::string frontier_obstacle(const Problem& problem);

// The actions that the problem's constraints allow in this state, at most 100,000 of them.
std::vector<BitValues> legal_actions(const Problem& problem, const BitValues& state, LimitWatch& watch);

// Walks from the initial state through what was seen, layer by layer up to the horizon, along steps that a
// plan cheaper than `below` could take (any plan, if not given), and returns the pairs that such a plan could
// ask next. If there are none and the walk is complete, no plan in this world, if it is deterministic, costs
// less than `below`. Requires that frontier_obstacle is "".
Frontier frontier(const Problem& problem, const WorldFacts& facts, std::optional<std::int64_t> below,
                  std::size_t most_pairs, LimitWatch& watch);

}  // namespace bnnplan::discovery
