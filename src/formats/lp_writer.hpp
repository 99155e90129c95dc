#pragma once

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::formats {

// The model as a 0-1 integer program in the LP format (the CPLEX dialect that CBC, HiGHS, SCIP and others
// read). Model variable v is x(v+1).
void write_lp(const model::ZeroOneModel& model, OutputFile& file);

}  // namespace bnnplan::formats
