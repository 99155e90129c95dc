#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bnnplan/cdcl/solver.hpp"
#include "bnnplan/engines/engine.hpp"

namespace bnnplan::engines {

// What is known about one horizon. Costs are integers as in Objective.
struct HorizonAnswer {
  std::int32_t horizon = 0;
  Status status = Status::unknown;  // optimal or infeasible; at a limit, plan or unknown
  std::optional<Plan> plan;         // of exactly `horizon` steps, not yet checked
  std::optional<std::int64_t> cost;
  std::uint64_t conflicts = 0;
};

// Solves one horizon after the other with something that grows: solve(horizon, any_plan) and stopped(). Ends
// when stopped and, with `until_plan`, at the first plan.
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

// Solves a problem for the horizons first, first + 1, ..., last in one solver that grows one step at a time
// and keeps what it has learned. The problem's own horizon does not matter. With `until_plan` it ends at the
// first horizon that has a plan, and any plan will do: this is the shortest plan. A limit ends it; the last
// answer is then what is known about the current horizon. Requires 1 <= first <= last; throws InputError if
// set_horizon() would.
std::vector<HorizonAnswer> solve_horizons(const Problem& problem, std::int32_t first, std::int32_t last,
                                          bool until_plan, const Limits& limits,
                                          const cdcl::SolverOptions& options = {});

}  // namespace bnnplan::engines
