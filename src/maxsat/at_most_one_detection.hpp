#pragma once

#include "bnnplan/formats/wcnf.hpp"
#include "bnnplan/maxsat/load_formula.hpp"
#include "bnnplan/maxsat/maxsat_run.hpp"

namespace bnnplan::maxsat {

// Finds groups of cost literals of which all but one must be true, as binary clauses show, and moves their
// minimum cost into the constant of the objective.
void detect_at_most_ones(const formats::Wcnf& formula, const VariableMap& map, MaxSatRun& search);

}  // namespace bnnplan::maxsat
