// A horizon or two of search is mostly look-ups in what it knows from the plans before; where it finds
// nothing in a moment, the engines together do it from the beginning.
#include <algorithm>
#include <utility>

#include <bnnplan/replanner.hpp>

namespace bnnplan {

Replanner::Replanner(Problem problem, const Limits& limits)
    : problem_(std::move(problem)), limits_(limits), search_(problem_) {}

Outcome Replanner::plan(const BitValues& initial, std::int64_t horizon, const std::atomic<bool>* interrupt) {
  constexpr double alone = 0.2;  // seconds
  if (initial.size() != problem_.state.bit_count())
    throw InputError("a state has one value per state bit of the problem");
  set_horizon(problem_, horizon);
  problem_.initial = initial;
  PlanOptions options;
  options.limits = limits_;
  if (interrupt != nullptr) options.limits.interrupt = interrupt;
  EngineRequest request;
  request.limits = on_this_machine(options.limits);
  request.limits.seconds = std::min(alone, request.limits.seconds.value_or(alone));
  search_.set_initial(initial);
  search_.set_horizon(horizon);
  Outcome outcome = search_.plan(request);
  if (outcome.status == Status::optimal || outcome.status == Status::infeasible) return outcome;
  return bnnplan::plan(problem_, options);
}

}  // namespace bnnplan
