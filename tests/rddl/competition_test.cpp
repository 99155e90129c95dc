// Two domains in the style of the planning competitions: domain, non-fluents and instance in one file,
// KronDelta around everything, rewards over the current state.
#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "bnnplan/rddl/simulate/explore.hpp"
#include "rddl/rddl_text.hpp"

namespace bnnplan::rddl {
namespace {

using testing::Scene;

Simulator competition(std::string_view name) {
  const auto path = std::filesystem::path(BNNPLAN_SOURCE_DIR) / "tests" / "rddl" / name;
  return Simulator(path, path);
}

TEST(Competition, ElevatorCarriesAPersonUp) {
  Simulator simulator = competition("elevators.rddl");
  Scene scene(simulator);
  const auto act = [&](std::string_view action) {
    scene.step({action});
    return scene;
  };
  EXPECT_EQ(act("move-cur-dir[e0]")["elevator-at-floor[e0| f1]"], 1);
  EXPECT_EQ(scene["elevator-at-floor[e0| f0]"], 0);
  EXPECT_EQ(act("open-door-going-up[e0]")["elevator-closed[e0]"], 0);
  EXPECT_EQ(scene["person-waiting-up[f1]"], 1);
  EXPECT_EQ(act("close-door[e0]")["person-waiting-up[f1]"], 0);
  EXPECT_EQ(scene["person-in-elevator-going-up[e0]"], 1);
  EXPECT_EQ(simulator.reward(scene.state, scene.action, scene.state), make_rational(-3, 4));
  EXPECT_EQ(act("move-cur-dir[e0]")["elevator-at-floor[e0| f2]"], 1);
  EXPECT_EQ(act("move-cur-dir[e0]")["elevator-at-floor[e0| f2]"], 1) << "the top";
  EXPECT_EQ(scene["person-in-elevator-going-up[e0]"], 0) << "arrived";
  EXPECT_FALSE(scene.set("close-door[e0]", 1).legal()) << "one action at a time";
}

TEST(Competition, LifeBlinks) {
  Simulator simulator = competition("game_of_life.rddl");
  Scene scene(simulator);
  EXPECT_EQ(simulator.reward(scene.state, scene.action, scene.state), make_rational(3));
  scene.step();
  for (const char* cell : {"alive[x1| y2]", "alive[x2| y2]", "alive[x3| y2]"}) EXPECT_EQ(scene[cell], 1);
  EXPECT_EQ(scene["alive[x2| y1]"], 0);
  scene.step({"set[x1| y1]"});
  EXPECT_EQ(scene["alive[x1| y1]"], 1);
  EXPECT_EQ(scene["alive[x2| y1]"], 1);
  EXPECT_FALSE(scene.set("set[x1| y1]", 1).legal()) << "something lives there";
}

TEST(Competition, CompiledStepsAndRewardsAgree) {
  for (const std::string_view name : {"elevators.rddl", "game_of_life.rddl"}) {
    Simulator simulator = competition(name);
    const BitLayout layout = make_bit_layout(simulator.model(), {});
    Problem problem = compile_problem(simulator.model(), {});
    // An episode as a plan: the checker must find the same states and the same total reward.
    constexpr int steps = 30;
    set_horizon(problem, steps);
    Plan plan;
    plan.initial.assign(problem.state.bit_count(), unknown_bit);
    Rational reward;
    std::vector<StateValues> states;
    ExploreOptions options;
    options.steps = steps;
    options.seed = 3;
    explore(simulator, layout, options,
            [&](const StateValues& s, const ActionValues& a, const StateValues& n) {
              PlanStep step;
              append_bits(layout.action, a, step.action);
              step.auxiliary.assign(problem.auxiliary.bit_count(), unknown_bit);
              step.state.assign(problem.state.bit_count(), unknown_bit);
              plan.steps.push_back(step);
              reward = reward + simulator.reward(s, a, n);
              states.push_back(n);
            });
    const checking::PlanCheck result = checking::check_plan(problem, plan);
    ASSERT_TRUE(result.accepted) << name << ": " << result.violation;
    EXPECT_EQ(rational_of(-cost_in_units(problem, result.cost)), reward);
    for (std::size_t t = 0; t < states.size(); ++t) {
      BitValues bits;
      append_bits(layout.state, states[t], bits);
      EXPECT_TRUE(std::equal(bits.begin(), bits.end(), result.plan.steps[t].state.begin()));
    }
  }
}

}  // namespace
}  // namespace bnnplan::rddl
