#pragma once

// The neuron engine's solver for any pseudo-Boolean problem.
//
//   const std::string text = "min: +1 x1 +1 x2 ; +1 x1 +1 x2 >= 1 ;";
//   const bnnplan::PbOutcome outcome = bnnplan::solve_pseudo_boolean(bnnplan::parse_opb(text, "example"));
//
//   PbFormula                              plain data, model/pb_formula.hpp
//   parse_opb(text, name)                  OPB as in the PB competitions
//   solve_pseudo_boolean(formula, request) engines/pseudo_boolean/solve_pb.hpp

#include <vector>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/option.hpp"
#include "bnnplan/engines/pseudo_boolean/solve_pb.hpp"
#include "bnnplan/formats/opb_reader.hpp"
#include "bnnplan/model/pb_formula.hpp"

namespace bnnplan {

using engines::PbOutcome, engines::PbRequest, engines::solve_pseudo_boolean;
using formats::parse_opb, formats::UnsupportedFormula;
using model::PbFormula;

std::vector<Option> options_of(PbRequest& options);  // time and memory limit, seed, proof

// The status, bounds and counts; the text has the last lines of the protocol of the PB competition, with the
// solution.
Answer answer_of(const PbOutcome& outcome);

}  // namespace bnnplan
