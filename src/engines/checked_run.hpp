#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "bnnplan/engines/engine.hpp"

namespace bnnplan::engines {

// An engine returned a plan that the checker refuses, or that does not have the cost claimed: a bug in
// bnnplan.
struct RefusedPlan : std::logic_error {
  RefusedPlan(const std::string& message, Plan refused)
      : std::logic_error(message), plan(std::move(refused)) {}
  Plan plan;
};

// Replays the outcome's plan, if it has one, with the checker. Throws RefusedPlan.
Outcome checked_outcome(std::string_view engine, const Problem& problem, Outcome outcome);

// Runs the engine and replays the plan it returns with the checker. The plan in the outcome is complete, and
// its cost is the recomputed one. Throws RefusedPlan.
Outcome run_checked(const Engine& engine, const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan::engines
