#pragma once

#include "bnnplan/maxsat/load_formula.hpp"
#include "bnnplan/maxsat/maxsat.hpp"

namespace bnnplan::maxsat {

// Both treat the oracle's model as a model of the formula it was loaded with, and require that its last
// answer was satisfiable.

// The total weight of the soft clauses that it falsifies.
formats::Weight cost_in_oracle(const formats::Wcnf& formula, const VariableMap& map,
                               const CoreOracle& oracle);

// The model, checked. Throws std::logic_error if it falsifies a hard clause or does not cost `cost`.
MaxSatModel read_model(const formats::Wcnf& formula, const VariableMap& map, const CoreOracle& oracle,
                       formats::Weight cost);

}  // namespace bnnplan::maxsat
