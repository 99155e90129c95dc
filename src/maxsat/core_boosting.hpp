#pragma once

#include "bnnplan/maxsat/maxsat_run.hpp"

namespace bnnplan::maxsat {

// Core-guided search, alternating with solution-improving search if options.boosting asks for it.
SearchEnd search_by_cores(MaxSatRun& search);

}  // namespace bnnplan::maxsat
