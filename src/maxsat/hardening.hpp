#pragma once

#include "bnnplan/maxsat/maxsat_run.hpp"

namespace bnnplan::maxsat {

// Permanently makes every cost literal false that no improvement can afford. Afterwards the solver's models
// are those that are better than the best, and perhaps others; "unsatisfiable" means that there is no better
// one.
void harden(MaxSatRun& search);

}  // namespace bnnplan::maxsat
