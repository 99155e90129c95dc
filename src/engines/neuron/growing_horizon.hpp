#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cdcl/solver.hpp"
#include "engines/engine.hpp"

namespace bnnplan {

// What is known of one horizon. Costs are integers as in Objective.
struct HorizonAnswer {
  std::int32_t horizon = 0;
  Status status = Status::unknown;  // optimal, infeasible; at a limit plan or unknown
  std::optional<Plan> plan;         // of exactly `horizon` steps, not yet checked
  std::optional<std::int64_t> cost;
  std::uint64_t conflicts = 0;
};

// One horizon after the other by something that grows: solve(horizon, any_plan) and stopped(). Ends where it is stopped and, with
// `until_plan`, at the first plan.
template <class Growing>
std::vector<HorizonAnswer> solve_each_horizon(Growing& growing, std::int32_t first, std::int32_t last,
                                              bool until_plan) {
  std::vector<HorizonAnswer> answers;
  for (std::int32_t h = first; h <= last; ++h) {
    answers.push_back(growing.solve(h, until_plan));
    if (growing.stopped() || (until_plan && answers.back().plan)) break;
  }
  return answers;
}

// Solves a problem for the horizons first, first + 1, ..., last in one solver that grows by a step at a time
// and keeps what it has learned. The problem's own horizon does not matter. With `until_plan` it ends at the
// first horizon that has a plan, and any plan will do: the shortest plan there is. A limit ends it, with what
// is known of the horizon it was at as the last answer. Requires 1 <= first <= last; throws InputError where
// set_horizon() would.
std::vector<HorizonAnswer> solve_horizons(const Problem& problem, std::int32_t first, std::int32_t last,
                                          bool until_plan, const Limits& limits,
                                          const SolverOptions& options = {});

}  // namespace bnnplan
