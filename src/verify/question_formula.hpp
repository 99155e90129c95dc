#pragma once

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/model/pb_formula.hpp"
#include "bnnplan/verify/question.hpp"

namespace bnnplan::verification {

// A question as a pseudo-Boolean formula, which has a solution for every set of flips that makes the property
// hold (with a budget: and is within it) and no others. Without a budget the objective is the cost.
// Variables, in order:
//   x1..xn       input i is flipped
//   then         the neurons, layer by layer
//   then         for each "any" of the property, which of its parts is chosen to hold
//   then         if the largest flip counts, without a budget: a flip of the k-th least cost or more is used
// Throws OverflowError if sums of coefficients do not fit into 64 bits.
model::PbFormula question_formula(const FlipQuestion& question);

// The values of all variables for a set of flips, and the set given by values of the variables.
BitValues formula_values(const FlipQuestion& question, const FlipSet& set);
FlipSet flips_in(const FlipQuestion& question, const BitValues& values);

// Writes OPB, as in the Pseudo-Boolean Competition, after comment lines.
void write_opb(const model::PbFormula& formula, const std::vector<std::string>& comments, OutputFile& file);

}  // namespace bnnplan::verification
