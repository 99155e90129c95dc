#pragma once

#include "cdcl/solver.hpp"
#include "model/zero_one_model.hpp"

namespace bnnplan {

// Adds all variables, rows and neurons of a model to a solver without variables; variable v of the model is
// variable v of the solver. Sets the order of decisions (free initial bits, then actions and auxiliary
// variables step by step) and phases that cost nothing. The objective is left to the caller.
void load_model(const ZeroOneModel& model, Solver& solver);

}  // namespace bnnplan
