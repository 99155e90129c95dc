#pragma once

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/model/zero_one_model.hpp"
#include "bnnplan/problem/plan.hpp"

namespace bnnplan::model {

// The plan in an assignment of the model's variables, including states: finding errors in the assignment is
// left to the checker. Unknown action bits count as 0; other unknown bits stay unknown. Requires
// values.size() >= layout.variable_count().
Plan decode(const ModelLayout& layout, const BitValues& values);

// The assignment of all variables that corresponds to a complete plan (such as the checker returns),
// including hidden neurons: the inverse, for tests and for fixing a plan in a model.
BitValues encode_plan(const ZeroOneModel& model, const Plan& plan);

}  // namespace bnnplan::model
