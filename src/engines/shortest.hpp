#pragma once

#include "bnnplan/engines/engine.hpp"

namespace bnnplan::engines {

// Finds the smallest horizon that has a plan, and the cheapest plan there (with request.first any). The
// problem's own horizon is the largest one tried; 0: the largest that is allowed. Outcome::shortest is the
// horizon, or if none has a plan, the largest one; the plan has been replayed for it. Requires an engine that
// proves what it says, and no proof or checkpoint. Throws InputError if the objective does not allow a
// horizon that is needed.
Outcome run_shortest(const Engine& engine, Problem problem, const EngineRequest& request);

}  // namespace bnnplan::engines
