#pragma once

// The embedded MaxSAT solver.
//
//   const bnnplan::Wcnf formula = bnnplan::read_wcnf("formula.wcnf");
//   const bnnplan::MaxSatOutcome outcome = bnnplan::solve_maxsat(formula);
//
//   Wcnf                           plain data, formats/wcnf.hpp
//   read_wcnf(file)                WCNF of 2022, classic WCNF or CNF, also packed; parse_wcnf from text
//   solve_maxsat(formula, request) maxsat/maxsat.hpp

#include <vector>

#include "base/input_error.hpp"
#include "base/option.hpp"
#include "formats/wcnf.hpp"
#include "formats/wcnf_reader.hpp"
#include "maxsat/maxsat.hpp"

namespace bnnplan {

std::vector<Option> options_of(MaxSatRequest& options);  // strategy, time and memory limit, seed

}  // namespace bnnplan
