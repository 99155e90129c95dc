// Two engines in sequence, the second with the bounds of the first: what SharedBounds requires of engines in
// a portfolio is all that is needed. If the engine ends with a lower bound equal to the cost of the plan that
// local search found, that plan is optimal, and the engine has proved it.
//
// With a proof the engine is given the plan itself, which it logs as a solution, and no lower bound.
//
// Only if there is a network: with known transitions alone, engines find plans at once.
#include "bnnplan/engines/local/with_local_search.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "bnnplan/engines/local/local_search.hpp"

namespace bnnplan::engines {

namespace {

constexpr std::uint64_t effort = 10'000;  // steps evaluated: a few milliseconds

}  // namespace

Outcome run_with_local_search(Outcome (*run)(const Problem& problem, const EngineRequest& request),
                              const Problem& problem, const EngineRequest& request) {
  const bool beside_others = request.shared != nullptr || request.shared_plan != nullptr;
  const bool any_plan = request.first || problem.objective.terms.empty();
  if (beside_others || !problem.network || !suits_local_search(problem) ||
      (any_plan && !request.proof.empty())) {
    return run(problem, request);
  }
  LimitWatch watch(request.limits);
  SharedBounds shared;
  SharedPlan shared_plan;
  EngineRequest told = request, own = request;
  if (request.proof.empty()) {
    told.shared = own.shared = &shared;
  } else {
    told.shared_plan = own.shared_plan = &shared_plan;
  }
  BoundLog log(told);
  std::optional<Plan> plan;
  std::int64_t cost = 0;
  local_search(problem, watch, effort,
               {[&](const Plan& found, std::int64_t value) {
                  plan = found;
                  cost = value;
                  log.improve({watch.seconds(), value, [&] { return found; }});
                  return !request.first && !problem.objective.terms.empty();
                },
                {}});
  Outcome outcome;
  const double before = watch.seconds();
  if (request.first && plan) {
    outcome.engine = "local";
    outcome.status = Status::feasible;
  } else {
    own.limits.seconds = time_left(own.limits.seconds, before);
    own.callbacks.improvement = [&](const Improvement& improvement) {
      log.improve({watch.seconds(), improvement.cost, improvement.plan});
    };
    own.callbacks.bound = [&](const BoundPoint& point) {
      if (point.lower) log.raise_lower(*point.lower, watch.seconds());
    };
    outcome = run(problem, own);
    if (plan &&
        (outcome.status == Status::infeasible || (outcome.lower_bound && *outcome.lower_bound > cost))) {
      throw std::logic_error(
          fmt::format("engines disagree: local has a plan of cost {}, {} proves that there is none", cost,
                      outcome.engine));
    }
    if (outcome.plan && (!plan || *outcome.cost < cost)) plan.reset();
  }
  outcome.seconds = watch.seconds();
  if (plan) {
    outcome.plan = std::move(plan);
    outcome.cost = cost;
    const bool proved = !request.first && outcome.lower_bound == cost;
    outcome.status = proved ? Status::optimal : Status::feasible;
    if (outcome.engine != "local") outcome.engine += " (plan by local)";
  }
  outcome.bounds = log.finish(outcome.seconds);
  return outcome;
}

}  // namespace bnnplan::engines
