#pragma once

#include <span>

#include "engines/engine.hpp"
#include "engines/search/search_run.hpp"

namespace bnnplan {

// Writes the proof that the request asks for, of what the outcome of the run claims: that its plan is optimal,
// that there is none, or that the plan is one, where any will do. `initial` are the initial states, if the run
// came so far. Sets outcome.proof; leaves it empty, and no file, if nothing is claimed, a limit was reached or
// the proof would become too large.
void prove(SearchRun& run, std::span<const StateId> initial, Outcome& outcome);

}  // namespace bnnplan
