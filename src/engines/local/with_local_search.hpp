#pragma once

#include "bnnplan/engines/engine.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// Runs an engine after a moment of local search, whose best plan it need not find again: it has to show that
// nothing is better, or find something better. Runs just the engine if it is already part of a portfolio, if
// any plan will do and has to be the proof's, or if there is no network.
Outcome run_with_local_search(Outcome (*run)(const Problem& problem, const EngineRequest& request),
                              const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan::engines
