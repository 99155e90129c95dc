#pragma once

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::formats {

// The model as a 0-1 integer program in MPS format, fixed and free at once. Model variable v is x(v+1), rows
// are c1, c2, ...
void write_mps(const model::ZeroOneModel& model, OutputFile& file);

}  // namespace bnnplan::formats
