#pragma once

#include <gtest/gtest.h>

#include "check/plan_check.hpp"
#include "rddl/simulate/explore.hpp"

namespace bnnplan::testing {

// One step of the problem from a state, by the propagation of the plan checker alone.
inline PlanCheck check_step(Problem problem, const BitLayout& layout, const StateValues& state,
                            const ActionValues& action) {
  set_horizon(problem, 1);
  problem.goal.clear();
  BitValues bits;
  append_bits(layout.state, state, bits);
  bits.resize(problem.state.bit_count(), 0);  // variables of the reward
  problem.initial.assign(bits.begin(), bits.end());
  Plan plan;
  plan.initial.assign(bits.size(), unknown_bit);
  PlanStep step;
  append_bits(layout.action, action, step.action);
  step.auxiliary.assign(problem.auxiliary.bit_count(), unknown_bit);
  step.state.assign(bits.size(), unknown_bit);
  plan.steps.push_back(step);
  return check_plan(problem, plan);
}

// Compares a transition of the simulator, and its reward, with the problem's.
inline TransitionVisitor same_step(Simulator& simulator, const Problem& problem, const BitLayout& layout) {
  return [&](const StateValues& state, const ActionValues& action, const StateValues& next) {
    const PlanCheck result = check_step(problem, layout, state, action);
    ASSERT_TRUE(result.accepted) << result.violation;
    BitValues bits;
    append_bits(layout.state, next, bits);
    const BitValues& given = result.plan.steps[0].state;
    EXPECT_TRUE(std::equal(bits.begin(), bits.end(), given.begin()));
    const Rational reward = simulator.reward(state, action, next);
    EXPECT_EQ(rational_of(-cost_in_units(problem, result.cost)), reward);
  };
}

inline void expect_same_steps(Simulator& simulator, const Problem& problem, std::size_t every = 1) {
  const BitLayout layout = make_bit_layout(simulator.model(), {});
  const TransitionVisitor compare = same_step(simulator, problem, layout);
  std::size_t number = 0;
  explore_exhaustively(simulator, layout, [&](const auto& state, const auto& action, const auto& next) {
    if (number++ % every == 0) compare(state, action, next);
  });
  EXPECT_GT(number, 0u);
}

}  // namespace bnnplan::testing
