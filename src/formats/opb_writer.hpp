#pragma once

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::formats {

// The model as a pseudo-Boolean optimisation problem (OPB, competition syntax): objective `min:`, neurons as
// two constraints each, >= and = only, no negated literals. Model variable v is x(v+1).
void write_opb(const model::ZeroOneModel& model, OutputFile& file);

}  // namespace bnnplan::formats
