#pragma once

#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/rddl/simulate/explore.hpp"

namespace bnnplan::testing {

// One step of the problem from a state, by the propagation of the plan checker alone.
inline checking::PlanCheck check_step(Problem problem, const rddl::BitLayout& layout,
                                      const rddl::StateValues& state, const rddl::ActionValues& action) {
  set_horizon(problem, 1);
  problem.goal.clear();
  BitValues bits;
  rddl::append_bits(layout.state, state, bits);
  bits.resize(problem.state.bit_count(), 0);  // variables of the reward
  problem.initial.assign(bits.begin(), bits.end());
  Plan plan;
  plan.initial.assign(bits.size(), unknown_bit);
  PlanStep step;
  rddl::append_bits(layout.action, action, step.action);
  step.auxiliary.assign(problem.auxiliary.bit_count(), unknown_bit);
  step.state.assign(bits.size(), unknown_bit);
  plan.steps.push_back(step);
  return checking::check_plan(problem, plan);
}

// Compares a transition of the simulator, and its reward, with the problem's.
inline rddl::TransitionVisitor same_step(rddl::Simulator& simulator, const Problem& problem,
                                         const rddl::BitLayout& layout) {
  return
      [&](const rddl::StateValues& state, const rddl::ActionValues& action, const rddl::StateValues& next) {
        const checking::PlanCheck result = check_step(problem, layout, state, action);
        ASSERT_TRUE(result.accepted) << result.violation;
        BitValues bits;
        rddl::append_bits(layout.state, next, bits);
        const BitValues& given = result.plan.steps[0].state;
        EXPECT_TRUE(std::equal(bits.begin(), bits.end(), given.begin()));
        const rddl::Rational reward = simulator.reward(state, action, next);
        EXPECT_EQ(rddl::rational_of(-cost_in_units(problem, result.cost)), reward);
      };
}

inline void expect_same_steps(rddl::Simulator& simulator, const Problem& problem, std::size_t every = 1) {
  const rddl::BitLayout layout = rddl::make_bit_layout(simulator.model(), {});
  const rddl::TransitionVisitor compare = same_step(simulator, problem, layout);
  std::size_t number = 0;
  rddl::explore_exhaustively(simulator, layout, [&](const auto& state, const auto& action, const auto& next) {
    if (number++ % every == 0) compare(state, action, next);
  });
  EXPECT_GT(number, 0u);
}

}  // namespace bnnplan::testing
