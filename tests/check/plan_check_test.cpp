#include "bnnplan/check/plan_check.hpp"

#include <gtest/gtest.h>

#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/published.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::checking {
namespace {

class CorridorPlan : public ::testing::Test {
 protected:
  Problem problem_ = read_problem(BNNPLAN_SOURCE_DIR "/models/corridor.toml");

  PlanCheck check(std::string_view plan) const {
    return check_plan(problem_, parse_plan(plan, "plan", problem_));
  }

  // The actions of each step, "l", "r" or ".".
  PlanCheck moves(std::string_view actions) const {
    Plan plan;
    plan.initial.assign(problem_.state.bit_count(), unknown_bit);
    for (const char c : actions) {
      plan.steps.push_back(
          {{static_cast<BitValue>(c == 'l' || c == 'b'), static_cast<BitValue>(c == 'r' || c == 'b')},
           {},
           BitValues(problem_.state.bit_count(), unknown_bit)});
    }
    return check_plan(problem_, plan);
  }
};

TEST_F(CorridorPlan, AcceptsAndCompletes) {
  const PlanCheck result = moves("lrrrr..");
  ASSERT_TRUE(result.accepted) << result.violation;
  EXPECT_EQ(result.cost, 5);
  EXPECT_EQ(result.plan.cost, parse_decimal("5"));
  EXPECT_EQ(result.plan.initial, (BitValues{0, 1, 0, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(result.plan.steps[6].state, (BitValues{0, 0, 0, 0, 1, 1, 1, 0, 0}));
  EXPECT_TRUE(check_plan(problem_, result.plan).accepted)
      << "the completed plan says everything, and is accepted too";
  EXPECT_TRUE(moves("lrr.rr.").accepted);
}

TEST_F(CorridorPlan, RefusedPrefixes) {
  RefusedPrefix left_right{BitValues(9, unknown_bit), {{1, 0}, {0, 1}}};
  problem_.refused = {left_right};
  EXPECT_EQ(moves("lrrrr..").violation, "step 2: the problem refuses plans that begin with these 2 actions");
  EXPECT_EQ(moves("lrrrr..").step, 2);
  EXPECT_TRUE(moves("l.rrrr.").accepted);
  EXPECT_EQ(moves("bbbbbbb").step, 1) << "the first violation is said";
  problem_.refused[0].initial[1] = 0;  // only from elsewhere
  EXPECT_TRUE(moves("lrrrr..").accepted);
  problem_.refused[0].initial[1] = 1;
  EXPECT_FALSE(moves("lrrrr..").accepted);
  problem_.refused[0].actions.clear();
  EXPECT_EQ(moves("l.rrrr.").violation, "initial state: the problem refuses plans from this state");
  EXPECT_EQ(moves("l.rrrr.").step, 0);
  problem_.refused[0].actions.assign(8, {0, 0});
  EXPECT_TRUE(moves("lrrrr..").accepted) << "longer than the plan";
}

TEST_F(CorridorPlan, SaysTheFirstViolation) {
  EXPECT_EQ(moves("rrrr...").violation, "after the last step: the goal 'key == 1' is violated: key = 0");
  EXPECT_EQ(moves("lrrr...").violation,
            "after the last step: the goal 'cell-5 == 1' is violated: cell-5 = 0");
  EXPECT_EQ(moves("lrrr...").step, 8);
  EXPECT_EQ(moves("lbrrr..").violation,
            "step 2: the constraint 'left + right <= 1' is violated: left = 1, right = 1");
  EXPECT_EQ(moves("lbrrr..").step, 2);
  EXPECT_EQ(moves("lrlrlrl").violation.substr(0, 61),
            "step 7: the constraint 'battery >= left + right' is violated:");
  EXPECT_EQ(moves("lrrrr.").violation, "the plan has 6 steps, the horizon is 7");
  EXPECT_EQ(moves("lrrrr...").violation, "the plan has 8 steps, the horizon is 7");
  EXPECT_EQ(moves("").violation, "the plan has 0 steps, the horizon is 7");
}

TEST_F(CorridorPlan, ChecksWhatThePlanSays) {
  const auto with = [&](std::string_view rest) {
    return check(std::string(R"({"steps": [{"actions": {"left": 1})") + std::string(rest));
  };
  const std::string tail =
      R"(}, {"actions": {"right": 1}}, {"actions": {"right": 1}}, {"actions": {"right": 1}}, {"actions": {"right": 1}}, {}, {}])";
  EXPECT_TRUE(with(tail + "}").accepted);
  EXPECT_TRUE(with(R"(, "state": {"cell-1": true, "battery": 5})" + tail + "}").accepted);
  EXPECT_EQ(with(R"(, "state": {"cell-1": false})" + tail + "}").violation,
            "step 1: the plan says cell-1 = 0 after the step, the network gives 1");
  EXPECT_EQ(with(R"(, "state": {"battery": 6})" + tail + "}").violation.substr(0, 72),
            "step 1: the transition 'battery' == battery - left - right' is violated:");
  EXPECT_EQ(with(tail + R"(, "cost": 4})").violation, "the plan claims cost 4, its actions cost 5");
  EXPECT_EQ(with(tail + R"(, "cost": 6})").violation, "the plan claims cost 6, its actions cost 5");
  EXPECT_TRUE(with(tail + R"(, "cost": 5.0})").accepted);
  EXPECT_TRUE(with(tail + R"(, "initial": {"cell-2": true}})").accepted);
  EXPECT_EQ(with(tail + R"(, "initial": {"cell-3": true}})").violation,
            "initial state: the plan says cell-3 = 1, the problem says 0");
}

TEST(PlanCheck, AuxiliaryValuesMustFollowOrBeSaid) {
  // both is a and b; either may be chosen freely when a == b == 0.
  const Problem problem = parse_problem(
      "horizon = 1\ntransitions = [\"x' == both\", \"both <= a\", \"both <= b\", \"both >= a + b - 1\", "
      "\"either <= 1 - both\"]\n"
      "[action]\na = \"bool\"\nb = \"bool\"\n[state]\nx = \"bool\"\n[auxiliary]\nboth = \"bool\"\neither = "
      "\"bool\"\n[initial]\nx = 0\n",
      "p", ".");
  const auto check = [&](std::string_view step) {
    return check_plan(problem, parse_plan("{\"steps\": [" + std::string(step) + "]}", "f", problem));
  };
  const PlanCheck followed = check(R"({"actions": {"a": 1, "b": 1}})");
  ASSERT_TRUE(followed.accepted) << followed.violation;
  EXPECT_EQ(followed.plan.steps[0].auxiliary, (BitValues{1, 0}));
  EXPECT_EQ(check(R"({"actions": {"a": 1}})").violation,
            "step 1: the plan does not give 'either', and it does not follow from the rest");
  EXPECT_TRUE(check(R"({"actions": {"a": 1}, "auxiliary": {"either": 1}})").accepted);
  EXPECT_EQ(check(R"({"actions": {"a": 1}, "auxiliary": {"both": 1, "either": 0}})").violation,
            "step 1: the transition 'both <= b' is violated: both = 1, b = 0");
  EXPECT_EQ(check(R"({"actions": {"a": 1, "b": 1}, "auxiliary": {"either": 1}})").violation,
            "step 1: the transition 'either <= 1 - both' is violated: both = 1, either = 1");
}

TEST(PlanCheck, NextStatesMustFollowOrBeSaid) {
  // A step may switch the light off or leave it.
  const Problem problem = parse_problem(
      "horizon = 1\ntransitions = [\"x' <= x\"]\n[state]\nx = \"bool\"\n[initial]\nx = 1\n", "p", ".");
  const auto check = [&](std::string_view text) {
    return check_plan(problem, parse_plan(text, "f", problem));
  };
  EXPECT_EQ(check(R"({"steps": [{}]})").violation,
            "step 1: the plan does not give 'x'', and it does not follow from the rest");
  EXPECT_TRUE(check(R"({"steps": [{"state": {"x": 0}}]})").accepted);
  EXPECT_TRUE(check(R"({"steps": [{"state": {"x": 1}}]})").accepted);
}

TEST(PlanCheck, FreeInitialBitsMustBeSaidUnlessTheyFollow) {
  const Problem problem = parse_problem(
      "horizon = 1\nconstraints = [\"x + y == 1\"]\ntransitions = [\"x' == x\", \"y' == y\", \"z' == z\"]\n"
      "[state]\nx = \"bool\"\ny = \"bool\"\nz = \"bool\"\n[initial]\nx = 1\n",
      "p", ".");
  const auto check = [&](std::string_view text) {
    return check_plan(problem, parse_plan(text, "f", problem));
  };
  EXPECT_EQ(check(R"({"steps": [{}]})").violation,
            "initial state: the plan does not give 'z', and it does not follow from the rest");
  const PlanCheck said = check(R"({"steps": [{}], "initial": {"z": 1}})");
  ASSERT_TRUE(said.accepted) << said.violation;
  EXPECT_EQ(said.plan.initial, (BitValues{1, 0, 1}));
  EXPECT_EQ(check(R"({"steps": [{}], "initial": {"z": 1, "y": 1}})").violation,
            "step 1: the constraint 'x + y == 1' is violated: x = 1, y = 1");
}

TEST(PlanCheck, ConstraintsDoNotHoldInTheLastState) {
  const Problem problem = parse_problem(
      "horizon = 2\nconstraints = [\"x <= 1\"]\ntransitions = [\"x' == x + 1\"]\nmaximize = \"0.5 x' - "
      "2\"\n[state]\nx = { bits = 2 }\n[initial]\nx = 0\n",
      "p", ".");
  const PlanCheck result = check_plan(problem, parse_plan(R"({"steps": [{}, {}]})", "f", problem));
  ASSERT_TRUE(result.accepted) << result.violation;
  EXPECT_EQ(to_string(cost_in_units(problem, result.cost)), "2.5") << "-(0.5 - 2) - (1 - 2)";
  Problem longer = problem;
  set_horizon(longer, 3);
  EXPECT_EQ(check_plan(longer, parse_plan(R"({"steps": [{}, {}, {}]})", "f", longer)).violation,
            "step 3: the constraint 'x <= 1' is violated: x.1 = 1, x.0 = 0");
}

TEST(PlanCheck, PublishedNavigation) {
  BNNPLAN_NEEDS_PUBLISHED();
  Problem problem = read_fd_sat_plan(testing::published_folder(), "navigation", "3x3");
  set_horizon(problem, 4);
  const auto walk = [&](std::vector<std::string> moves) {
    std::string text;
    for (const std::string& move : moves)
      text += (text.empty() ? "" : ", ") + ("{\"actions\": {\"move-" + move + "\": true}}");
    return check_plan(problem, parse_plan("{\"steps\": [" + text + "]}", "f", problem));
  };
  const PlanCheck result = walk({"east", "north", "north", "west"});
  ASSERT_TRUE(result.accepted) << result.violation;
  EXPECT_EQ(result.cost, 4);
  EXPECT_EQ(
      walk({"east", "north", "north", "south"}).violation,
      "after the last step: the goal 'robot-at[$x14| $y12] == 1' is violated: robot-at[$x14| $y12] = 0");
}

}  // namespace
}  // namespace bnnplan::checking
