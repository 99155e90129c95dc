#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::formats {

// The first lines of every written file, each after `prefix` ("c ", "* ", "\\ ", "% "): what it is, and how
// the solver's objective value becomes a cost of the problem. The offset is the model's or, if the objective
// is over variables instead of literals, that of plain_objective.
std::string header_comment(const model::ZeroOneModel& model, std::int64_t offset, std::string_view prefix);

}  // namespace bnnplan::formats
