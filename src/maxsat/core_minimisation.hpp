#pragma once

#include <vector>

#include "bnnplan/maxsat/effort_share.hpp"
#include "bnnplan/maxsat/maxsat_run.hpp"

namespace bnnplan::maxsat {

// Shrinks a core (a list of assumptions: negated cost literals), or returns it unchanged. Not minimal in
// general: each attempt is limited, and all of them together by `share`. Models found on the way are offered
// to search.bounds. An empty result means that the hard clauses alone are unsatisfiable.
std::vector<Lit> minimise_core(std::vector<Lit> core, MaxSatRun& search, EffortShare& share);

}  // namespace bnnplan::maxsat
