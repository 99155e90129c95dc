#pragma once

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::formats {

// The model in MiniZinc, as a constraint program: an array x of 0-1 variables, neurons as reified sums. Model
// variable v is x[v+1]. Solutions are printed as a line "v 0 1 1 ..." that `bnnplan decode` reads.
void write_minizinc(const model::ZeroOneModel& model, OutputFile& file);

}  // namespace bnnplan::formats
