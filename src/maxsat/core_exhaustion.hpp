#pragma once

#include <cstddef>

#include "bnnplan/maxsat/effort_share.hpp"
#include "bnnplan/maxsat/maxsat_run.hpp"

namespace bnnplan::maxsat {

// Given that at least `bound` inputs of the counter are true, checks whether more must be; each attempt is
// limited, and all of them together by `share`. Returns a number >= bound of inputs that must be true. Models
// found on the way are offered to search.bounds. Returns size + 1 if the hard clauses turn out to be
// unsatisfiable.
std::size_t exhaust_core(const CoreOracle::Counter& counter, std::size_t bound, MaxSatRun& search,
                         EffortShare& share);

}  // namespace bnnplan::maxsat
