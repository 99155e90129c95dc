#pragma once

#include "bnnplan/rddl/ground/ground.hpp"

namespace bnnplan::rddl {

// A model of several futures at once, under the same actions: every state and intermediate variable once per
// future, the first under its own name, the others as NAME#2, NAME#3, ...; and a state variable `step#` that
// counts from 0 to steps - 1, and stays there. Constraints, invariants and goals are those of all futures,
// the reward is their mean. A future in which a termination holds stays as it is, without constraints and
// reward; the model itself has no termination. Random parts stay random.
GroundModel futures_model(const GroundModel& model, int futures, int steps);

// The slot of `step#` in such a model.
inline std::uint32_t step_slot(const GroundModel& model) { return model.first_action() - 1; }

}  // namespace bnnplan::rddl
