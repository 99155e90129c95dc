#pragma once

#include "maxsat/maxsat_run.hpp"

namespace bnnplan {

// Solution-improving search: demands a model cheaper than the best until there is none.
SearchEnd search_solution_improving(MaxSatRun& search);

}  // namespace bnnplan
