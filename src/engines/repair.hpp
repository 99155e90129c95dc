#pragma once

#include <functional>
#include <optional>

#include "engines/engine.hpp"

namespace bnnplan {

// Says what is wrong with a plan beyond what the problem says of it: the shortest prefix of it that can be
// part of no plan. Nothing if nothing is wrong. What it refuses must include the plan itself.
using PlanJudge = std::function<std::optional<Objection>(const Plan&)>;

// Plans until the judge has nothing against the plan: what it refuses is added to problem.refused or, as a
// step, to problem.constraints, and the engine runs again. The outcome is about all plans that the judge
// accepts: an optimal plan is the cheapest of them, infeasible says that there is none, and the bounds are
// theirs. Where an objection is to a state that the problem leaves to choice, nothing is proved any more: the
// status is plan or unknown then. Plans are checked as by run_checked. The limits are for all runs together.
// Its statistics also have "refused_prefixes", "refused_steps" and "runs". Requires that request.shared is
// nullptr.
Outcome run_repaired(const Engine& engine, Problem& problem, const EngineRequest& request,
                     const PlanJudge& judge);

}  // namespace bnnplan
