#include "bnnplan/rddl/simulate/replay.hpp"

#include <gtest/gtest.h>

#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "bnnplan/rddl/simulate/domain_judge.hpp"
#include "rddl/rddl_text.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::rddl {
namespace {

class ReplayTest : public ::testing::Test {
 protected:
  Replay run(std::string_view plan) {
    return replay(simulator_, problem_, parse_plan(plan, "p.json", problem_));
  }

  Simulator simulator_ = testing::shipped("navigation_3x3");
  Problem problem_ = compile_variables(simulator_.model(), {});
};

TEST_F(ReplayTest, APlanThatWorks) {
  const Replay result =
      run(R"({"steps": [{"actions": {"left": 1}}, {"actions": {"up": 1}}, {"actions": {"up": 1}},
                                          {"actions": {"right": 1}}]})");
  EXPECT_EQ(result.violation, "");
  EXPECT_EQ(result.states.size(), 5u);
  EXPECT_EQ(result.reward, make_rational(-4));
  EXPECT_EQ(result.diverges, 0);
}

TEST_F(ReplayTest, WhatGoesWrong) {
  EXPECT_EQ(run(R"({"steps": [{"actions": {"left": 1}}]})").violation,
            "after the last step: the goal is not reached");
  const Replay illegal = run(R"({"steps": [{"actions": {}}, {"actions": {"left": 1, "up": 1}}]})");
  EXPECT_EQ(illegal.violation, "step 2: illegal by the constraint at " +
                                   testing::domain_file("navigation.rddl").string() + ":41:5");
  EXPECT_EQ(illegal.step, 2);
  EXPECT_EQ(illegal.actions.size(), 1u);
  const Replay diverges = run(R"({"steps": [{"actions": {"up": 1}, "state": {"robot-at[x2| y2]": true}}]})");
  EXPECT_EQ(diverges.diverges, 1) << "the plan goes through an obstacle";
}

TEST_F(ReplayTest, SaysWhereModelAndDomainPart) {
  const Replay result = run(R"({"steps": [
    {"actions": {"left": 1}, "state": {"robot-at[x1| y1]": true, "robot-at[x2| y1]": false}},
    {"actions": {"right": 1}, "state": {"robot-at[x1| y1]": true, "robot-at[x2| y1]": false}},
    {"actions": {}, "state": {"robot-at[x1| y1]": true}}]})");
  EXPECT_EQ(result.diverges, 2);
  EXPECT_EQ(result.difference,
            "robot-at[x1| y1] is 1 in the plan and 0 in the domain, "
            "robot-at[x2| y1] is 0 in the plan and 1 in the domain");
  EXPECT_EQ(replay_text(result),
            "model and domain diverge at step 2: " + result.difference +
                "\nrefused by the domain: after the last step: the goal is not reached\n");
  EXPECT_EQ(replay_text(run(R"({"steps": [{"actions": {"left": 1}}, {"actions": {"up": 1}},
                                          {"actions": {"up": 1}}, {"actions": {"right": 1}}]})")),
            "model and domain agree on every state\nvalid in the domain, total reward -4\n");
}

TEST_F(ReplayTest, TheShortestRefusedPrefix) {
  const auto prefix = [&](std::string_view plan) {
    return DomainJudge(simulator_, problem_)(parse_plan(plan, "p.json", problem_));
  };
  EXPECT_FALSE(prefix(R"({"steps": [{"actions": {"left": 1}}, {"actions": {"up": 1}}, {"actions": {"up": 1}},
                                    {"actions": {"right": 1}}]})"));
  const auto illegal =
      prefix(R"({"steps": [{"actions": {"left": 1}}, {"actions": {"left": 1, "up": 1}}, {}, {}, {}]})");
  ASSERT_TRUE(illegal);
  EXPECT_EQ(illegal->prefix.actions, (std::vector<BitValues>{{0, 0, 0, 1}, {1, 0, 0, 1}}));
  EXPECT_EQ(illegal->prefix.initial, BitValues(9, unknown_bit)) << "the problem leaves nothing free";
  EXPECT_EQ(prefix(R"({"steps": [{}, {}, {}, {}, {}]})")->prefix.actions.size(), 2u)
      << "the way takes four steps";
  EXPECT_EQ(prefix(R"({"steps": [{}, {}]})")->prefix.actions.size(), 0u) << "two are never enough";
}

// A plan that the domain allows, but whose states are not the domain's.
TEST(Objection, IsToTheFirstWrongState) {
  Simulator simulator = testing::simulator_of(
      "domain d { pvariables { x : { state-fluent, bool, default = false }; go : { action-fluent, bool, "
      "default = "
      "false }; }; cpfs { x' = go; }; reward = x'; }",
      "instance i { domain = d; init-state { ~x; }; horizon = 3; }");
  const Problem problem = compile_variables(simulator.model(), {});
  const auto objection = [&](std::string_view plan) {
    return DomainJudge(simulator, problem)(parse_plan(plan, "p", problem));
  };
  const auto wrong =
      objection(R"({"steps": [{"actions": {"go": 1}, "state": {"x": 1}}, {"state": {"x": 1}}, {}]})");
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(wrong->parts);
  EXPECT_EQ(wrong->prefix.actions, (std::vector<BitValues>{{1}, {0}}));
  EXPECT_FALSE(
      objection(R"({"steps": [{"actions": {"go": 1}, "state": {"x": 1}}, {"state": {"x": 0}}, {}]})"));
}

TEST(RefusedPrefix, EndsWhereNoActionIsLegal) {
  // A computer that stops makes all actions illegal: the steps before are to blame.
  Simulator simulator = testing::shipped("sysadmin_4");
  const Problem problem = compile_variables(simulator.model(), {});
  const Plan plan = parse_plan(
      R"({"steps": [{}, {}, {"actions": {"reboot[c1]": 1}}, {"actions": {"reboot[c2]": 1}}]})", "p", problem);
  const Replay result = replay(simulator, problem, plan);
  EXPECT_EQ(result.step, 4);
  EXPECT_EQ(result.refused_actions, 3u);
  EXPECT_EQ(result.violation.substr(0, 33), "step 4: illegal by the constraint");
  EXPECT_EQ(DomainJudge(simulator, problem)(plan)->prefix.actions.size(), 2u)
      << "two reboots cannot save four";
}

TEST(RefusedPrefix, KeepsTheFreeInitialBits) {
  Simulator simulator = testing::shipped("sysadmin_4");
  Problem problem = compile_variables(simulator.model(), {});
  std::uint32_t age = 0;
  while (problem.state.bit_name(age) != "age[c2].0") ++age;
  problem.initial[age] = problem.initial[age + 1] = unknown_bit;
  const auto prefix = DomainJudge(
      simulator, problem)(parse_plan(R"({"initial": {"age[c2]": 2}, "steps": [{}, {}]})", "p", problem));
  ASSERT_TRUE(prefix);
  EXPECT_EQ(prefix->prefix.actions.size(), 1u) << "c2 stops after the first step";
  for (std::uint32_t bit = 0; bit < prefix->prefix.initial.size(); ++bit) {
    EXPECT_EQ(prefix->prefix.initial[bit], bit == age ? 0 : bit == age + 1 ? 1 : unknown_bit);
  }
  const Replay moved =
      replay(simulator, problem, parse_plan(R"({"initial": {"age[c2]": 2}, "steps": [{}]})", "p", problem));
  EXPECT_EQ(moved.start, "age[c2] is 2 in the plan and 0 in the instance");
}

TEST(RefusedPrefix, InitialStatesAndNumbersThatTheDomainDoesNotHave) {
  Simulator simulator = testing::simulator_of(
      "domain d { types { t : object; }; pvariables { s : { state-fluent, t, default = $a };"
      " go : { action-fluent, t, default = $a }; n : { state-fluent, int, default = 0 }; };"
      " cpfs { s' = go; n' = n; }; state-invariants { n >= 0; n <= 2; }; }",
      "non-fluents f { domain = d; objects { t : {a, b, c}; }; }"
      "instance i { domain = d; non-fluents = f; init-state { n = 0; }; }");
  Problem problem = compile_variables(simulator.model(), {});
  const auto violation = [&](std::string_view plan) {
    const Replay result = replay(simulator, problem, parse_plan(plan, "p", problem));
    return std::to_string(result.refused_actions) + " " + result.violation;
  };
  EXPECT_EQ(violation(R"({"steps": [{"actions": {"go": 2}}]})"), "0 ");
  EXPECT_EQ(violation(R"({"steps": [{}, {"actions": {"go": 3}}]})"),
            "2 step 2: go is 3, but its objects are 0 to 2");
  EXPECT_EQ(violation(R"({"initial": {"s": 3}, "steps": [{}]})"),
            "0 initial state: s is 3, but its objects are 0 to 2");
  EXPECT_EQ(violation(R"({"initial": {"n": 3}, "steps": [{}]})").substr(0, 41),
            "0 initial state: breaks the invariant at ");
}

TEST_F(ReplayTest, FromTheInitialStateOfThePlan) {
  const Replay result = run(R"({"initial": {"robot-at[x2| y1]": false, "robot-at[x1| y3]": true},
                                "steps": [{"actions": {"right": 1}}]})");
  EXPECT_EQ(result.violation, "");
}

TEST_F(ReplayTest, AnotherProblemIsRefused) {
  const std::string file = testing::domain_file("navigation_3x3.rddl").string() + ": ";
  Problem other;
  other.state.add({.name = "x"});
  EXPECT_EQ(testing::input_error_of([&] { ProblemBinding(simulator_.model(), other); }),
            file + "the problem has no state variable 'robot-at[x1| y1]' of this instance");
  Problem renamed = problem_;
  renamed.action.variables[1].name = "sideways";
  EXPECT_EQ(testing::input_error_of([&] { ProblemBinding(simulator_.model(), renamed); }),
            file + "the problem has no action variable 'down' of this instance");
  renamed = problem_;
  renamed.state.variables[0].boolean = false;
  EXPECT_EQ(
      testing::input_error_of([&] { ProblemBinding(simulator_.model(), renamed); }),
      file + "state variable 'robot-at[x1| y1]' is an integer in the problem and Boolean in the domain");
  Simulator stock = testing::shipped("inventory_2");
  Problem scaled = compile_variables(stock.model(), {});
  scaled.state.variables[1].scale = 1;
  EXPECT_EQ(testing::input_error_of([&] { ProblemBinding(stock.model(), scaled); }),
            testing::domain_file("inventory_2.rddl").string() +
                ": state variable 'stock' is scaled in the problem, but an integer in the domain");
}

}  // namespace
}  // namespace bnnplan::rddl
