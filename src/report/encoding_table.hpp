#pragma once

#include <string>

#include "bnnplan/encode/lower.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::reporting {

// What `encode --stats` prints: variables and clauses by part of the model, as unrolled and after
// simplification, what simplification did, and the time of each pass. Lowers the model twice, only counting.
std::string encoding_table(const model::ZeroOneModel& model, const encoding::LoweringOptions& options);

}  // namespace bnnplan::reporting
