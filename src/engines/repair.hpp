#pragma once

#include <functional>
#include <optional>

#include "bnnplan/engines/engine.hpp"

namespace bnnplan::engines {

// Finds what is wrong with a plan beyond the problem's own conditions: the shortest prefix that no valid plan
// can have. Returns nothing if the plan is fine. An objection must exclude the plan itself.
using PlanJudge = std::function<std::optional<Objection>(const Plan&)>;

// Plans until the judge has no objection: each objection is added to problem.refused or, if it is to a step,
// to problem.constraints, and the engine runs again. The outcome is about all plans that the judge accepts:
// an optimal plan is the cheapest of them, infeasible means that there is none, and the bounds are theirs.
// Once there is an objection to a state that the problem leaves open, nothing is proved any more: the status
// is then plan or unknown. Plans are checked as by run_checked. The limits apply to all runs together. The
// statistics also have "refused_prefixes", "refused_steps" and "runs". Requires that request.shared is
// nullptr.
Outcome run_repaired(const Engine& engine, Problem& problem, const EngineRequest& request,
                     const PlanJudge& judge);

}  // namespace bnnplan::engines
