#pragma once

#include <cstdint>
#include <string>

#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::checking {

// The result of replaying a plan.
struct PlanCheck {
  bool accepted = false;
  std::string violation;  // the first one, if not accepted: step, constraint as written, values
  int step = 0;           // the step it is in; 0 for the initial state, horizon + 1 for the goal and the cost
  std::int64_t cost = 0;  // if accepted: recomputed, an integer as in Objective
  Plan plan;              // if accepted: the same plan with all values filled in
};

// Replays a plan from its initial state through the network (by the scalar reference) and the known
// transitions, and checks every constraint, the goal, and the claimed cost if there is one. Auxiliary
// variables and next-state bits that the plan leaves open must follow by propagation of the step's
// constraints. Requires problem.horizon > 0. Shares no code with anything that encodes or solves.
PlanCheck check_plan(const Problem& problem, const Plan& plan);

}  // namespace bnnplan::checking
