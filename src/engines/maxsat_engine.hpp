#pragma once

#include "bnnplan/engines/engine.hpp"

namespace bnnplan::engines {

// The paper's approach, without files: the 0-1 model, simplified and lowered to clauses, solved by the
// embedded MaxSAT solver (maxsat/maxsat.hpp).
Outcome run_maxsat_engine(const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan::engines
