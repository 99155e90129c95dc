#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/problem/problem.hpp"

namespace bnnplan {

// The weights of the steps of a problem: step t weighs discount^(t-1), as an integer over 10^decimals.
// Without a discount all weigh 1.
struct StepWeights {
  std::vector<std::int64_t> weights;  // [t - 1], all positive, never increasing; empty: all are 1
  int decimals = 0;

  bool empty() const { return weights.empty(); }
  std::int64_t of(int t) const { return weights.empty() ? 1 : weights[static_cast<std::size_t>(t - 1)]; }
};

bool is_discounted(const Problem& problem);

// For the horizon of the problem; no weights if it states none. Throws InputError if they do not fit into 62
// bits, and if a rounded one would be 0.
StepWeights step_weights(const Problem& problem);
StepWeights step_weights(const Objective& objective, int horizon);

// The sum of all weights, checked.
std::int64_t total_weight(const StepWeights& weights, int horizon);

// The decimals of a cost: those of the objective and those of the weights. Does not throw.
int cost_decimals(const Problem& problem);

}  // namespace bnnplan
