#pragma once

#include "base/bit_value.hpp"
#include "model/zero_one_model.hpp"
#include "problem/plan.hpp"

namespace bnnplan {

// The plan in an assignment of the model's variables, states included: what the assignment gets wrong is for
// the checker to find. Action bits that are unknown count as 0; other unknown bits stay so. Requires
// values.size() >= layout.variable_count().
Plan decode(const ModelLayout& layout, const BitValues& values);

// An assignment of all variables that a complete plan (such as the checker returns) stands for, hidden
// neurons included: the other direction, for tests and for fixing a plan in a model.
BitValues encode_plan(const ZeroOneModel& model, const Plan& plan);

}  // namespace bnnplan
