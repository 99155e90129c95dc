#pragma once

#include "bnnplan/engines/engine.hpp"

namespace bnnplan::engines {

// Any MaxSAT, pseudo-Boolean, integer or constraint solver as a child process, called as request.solver
// specifies (known_solvers.hpp), on a file in the format request.solver_format. The plan is replayed, so a
// plan is a plan; that it is optimal, or that there is none, is the solver's claim (Outcome::claimed_by).
// Throws InputError, which states what happened, if the solver cannot be run or crashes, or if its answer is
// garbage, is not a plan, or does not have the cost it claims.
Outcome run_external(const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan::engines
