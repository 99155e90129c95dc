#pragma once

#include <functional>

#include "cdcl/solver.hpp"
#include "engines/pseudo_boolean/recognise_neurons.hpp"

namespace bnnplan {

// Gives a formula to a solver that has no variables yet: variable v there is variable v here; what no neuron defines is
// what is decided, in the order of numbers. The objective is left out. False if `go_on`, asked after every constraint
// and layer, said so.
bool load_formula(const PbFormula& formula, const RecognisedFormula& recognised, Solver& solver,
                  const std::function<bool()>& go_on);

}  // namespace bnnplan
