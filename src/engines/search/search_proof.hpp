#pragma once

#include <span>

#include "bnnplan/engines/engine.hpp"
#include "bnnplan/engines/search/search_run.hpp"

namespace bnnplan::engines {

// Writes the proof that the request asks for, of the claim in the run's outcome: that its plan is optimal,
// that there is no plan, or, if any plan will do, that the plan is valid. `initial` are the initial states,
// if the run got that far. Sets outcome.proof; leaves it empty, and writes no file, if nothing is claimed, a
// limit was reached or the proof would become too large.
void prove(SearchRun& run, std::span<const StateId> initial, Outcome& outcome);

}  // namespace bnnplan::engines
