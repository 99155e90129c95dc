#pragma once

#include <vector>

#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/ground/ground.hpp"

namespace bnnplan::rddl {

struct ReachableRanges {
  std::vector<Interval> slots;  // of state (and equally next state), action and intermediate variables
  bool for_ever = false;        // they hold for any number of steps
};

// Intervals that contain every value that variables can have within `steps` legal steps from the initial
// state, given what is known of some (`known`, per slot, as in BitLayout::ranges). Unknown if nothing can be
// derived. Requires a deterministic model.
ReachableRanges reachable_ranges(const GroundModel& model, const std::vector<Interval>& known, int steps);

}  // namespace bnnplan::rddl
