#pragma once

#include <functional>

#include "bnnplan/cdcl/solver.hpp"
#include "bnnplan/engines/pseudo_boolean/recognise_neurons.hpp"

namespace bnnplan::engines {

// Loads a formula into a solver that has no variables yet: variable v there is variable v here. Variables
// that no neuron defines are the decision variables, in numerical order. The objective is left out. False if
// `go_on`, called after every constraint and layer, returned false.
bool load_formula(const model::PbFormula& formula, const RecognisedFormula& recognised, cdcl::Solver& solver,
                  const std::function<bool()>& go_on);

}  // namespace bnnplan::engines
