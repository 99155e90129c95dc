#pragma once

#include <cstdint>
#include <optional>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/verify/flip_network.hpp"

namespace bnnplan::verification {

// The number of sets of flips within each of some increasing budgets, up to about `most` sets: the time an
// enumeration takes. Never below the true number; above it if costs are too fine to be counted one by one.
struct SetCount {
  std::int64_t budget = 0;  // for all sets that cost no more than this
  double sets = 0;
};
std::vector<SetCount> count_sets(const FlipQuestion& question, std::int64_t largest_budget, double most);

struct EnumerationOutcome {
  std::optional<FlipSet> best;  // of the least cost, if there is one within the budget
  bool complete = false;        // all sets within the budget were evaluated, or are no better than `best`
  std::uint64_t evaluations = 0;
};

// The cheapest set that makes the question's property hold among those that cost at most `budget`.
EnumerationOutcome enumerate_flips(const FlipQuestion& question, const FlipNetwork& network,
                                   std::int64_t budget, LimitWatch& watch);

}  // namespace bnnplan::verification
