// No plan leaves an engine without being replayed by code that shares nothing with it.
#include "bnnplan/engines/checked_run.hpp"

#include <fmt/format.h>

#include "bnnplan/check/plan_check.hpp"

namespace bnnplan::engines {

Outcome run_checked(const Engine& engine, const Problem& problem, const EngineRequest& request) {
  return checked_outcome(engine.name, problem, engine.run(problem, request));
}

Outcome checked_outcome(std::string_view engine, const Problem& problem, Outcome outcome) {
  if (!outcome.plan) return outcome;
  checking::PlanCheck check = checking::check_plan(problem, *outcome.plan);
  if (!check.accepted) {
    throw RefusedPlan(fmt::format("engine {} returned a plan that is refused: {}", engine, check.violation),
                      *outcome.plan);
  }
  if (outcome.cost != check.cost) {
    throw RefusedPlan(fmt::format("engine {} claims cost {} for a plan of cost {}", engine,
                                  outcome.cost ? to_string(cost_in_units(problem, *outcome.cost)) : "none",
                                  to_string(cost_in_units(problem, check.cost))),
                      *outcome.plan);
  }
  if (outcome.lower_bound && *outcome.lower_bound > check.cost) {
    throw RefusedPlan(fmt::format("engine {} claims the lower bound {}, above its plan of cost {}", engine,
                                  to_string(cost_in_units(problem, *outcome.lower_bound)),
                                  to_string(cost_in_units(problem, check.cost))),
                      *outcome.plan);
  }
  outcome.plan = std::move(check.plan);
  return outcome;
}

}  // namespace bnnplan::engines
