#pragma once

#include <cstdint>
#include <string>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::testing {

struct AssignmentCheck {
  bool accepted = false;
  // The first row or neuron that does not hold, with names; or the variable without a value.
  std::string violation;
  std::int64_t objective = 0;  // if accepted: offset + sum of weights, as in ZeroOneModel
};

// Evaluates a full assignment in a model, row by row and neuron by neuron. Shares no code with anything that
// produced the assignment or simplified the model.
AssignmentCheck check_assignment(const model::ZeroOneModel& model, const BitValues& values);

}  // namespace bnnplan::testing
