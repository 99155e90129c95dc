#include "bnnplan/model/unroll.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/model/decode.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/input_error_of.hpp"
#include "support/model_check.hpp"
#include "support/published.hpp"

namespace bnnplan::model {
namespace {

class UnrolledCorridor : public ::testing::Test {
 protected:
  Problem problem_ = read_problem(BNNPLAN_SOURCE_DIR "/models/corridor.toml");
  ZeroOneModel model_ = unroll(problem_);
  checking::PlanCheck checked_ =
      checking::check_plan(problem_, read_plan(BNNPLAN_SOURCE_DIR "/models/corridor.plan.json", problem_));
};

TEST_F(UnrolledCorridor, SizesAndNames) {
  // 9 state + 2 action + 15 hidden bits a step, 7 steps, and the last state.
  EXPECT_EQ(model_.layout.variable_count(), 7u * 26 + 9);
  EXPECT_EQ(model_.neurons.size(), 7u * 20);
  EXPECT_EQ(model_.rows.size(), 9u + 7 * (2 + 4) + 2);
  EXPECT_EQ(model_.objective.size(), 14u);
  EXPECT_EQ(variable_name(model_, model_.layout.state(1, 0)), "cell-1@1");
  EXPECT_EQ(variable_name(model_, model_.layout.state(8, 8)), "battery.2@8");
  EXPECT_EQ(variable_name(model_, model_.layout.action(3, 1)), "right@3");
  EXPECT_EQ(variable_name(model_, model_.layout.neuron(4, 1, 14)), "neuron 1.15@4");
  EXPECT_TRUE(model_.layout.is_problem_variable(model_.layout.state(8, 8)));
  EXPECT_FALSE(model_.layout.is_problem_variable(model_.layout.neuron(4, 1, 0)));
}

TEST_F(UnrolledCorridor, APlanIsASolutionAndBack) {
  ASSERT_TRUE(checked_.accepted);
  const BitValues values = encode_plan(model_, checked_.plan);
  const testing::AssignmentCheck check = testing::check_assignment(model_, values);
  EXPECT_TRUE(check.accepted) << check.violation;
  EXPECT_EQ(check.objective, 5);
  Plan decoded = decode(model_.layout, values);
  decoded.cost = checked_.plan.cost;
  EXPECT_EQ(decoded, checked_.plan);
}

TEST_F(UnrolledCorridor, EveryFlippedBitIsFound) {
  const BitValues values = encode_plan(model_, checked_.plan);
  for (std::uint32_t v = 0; v < values.size(); ++v) {
    BitValues flipped = values;
    flipped[v] ^= 1;
    EXPECT_FALSE(testing::check_assignment(model_, flipped).accepted) << variable_name(model_, {v});
  }
  BitValues unknown = values;
  unknown[30] = unknown_bit;
  EXPECT_EQ(testing::check_assignment(model_, unknown).violation, "cell-5@2 has no value");
  unknown.clear();
  EXPECT_EQ(testing::check_assignment(model_, unknown).violation, "cell-1@1 has no value");
  BitValues wrong = values;
  wrong[model_.layout.state(1, 0).index] ^= 1;
  EXPECT_EQ(testing::check_assignment(model_, wrong).violation, "initial: 1 ~cell-1@1 >= 1 is violated");
  wrong = values;
  wrong[model_.layout.neuron(2, 1, 3).index] ^= 1;
  EXPECT_EQ(testing::check_assignment(model_, wrong).violation,
            "neuron 1.4@2 does not follow from its inputs");
}

TEST_F(UnrolledCorridor, CostBound) {
  add_cost_bound(model_, 5);
  EXPECT_TRUE(testing::check_assignment(model_, encode_plan(model_, checked_.plan)).accepted);
  add_cost_bound(model_, 4);
  EXPECT_FALSE(testing::check_assignment(model_, encode_plan(model_, checked_.plan)).accepted);
}

TEST_F(UnrolledCorridor, RefusedPrefixesAreClausesOverSteps) {
  const std::size_t rows = model_.rows.size();
  RefusedPrefix prefix{BitValues(9, unknown_bit), {}};
  for (std::size_t t = 0; t < 2; ++t) prefix.actions.push_back(checked_.plan.steps[t].action);
  problem_.refused = {prefix};
  const ZeroOneModel refused = unroll(problem_);
  ASSERT_EQ(refused.rows.size(), rows + 1);
  EXPECT_EQ(refused.rows.back().row.terms.size(), 4u);
  EXPECT_EQ(part_name(refused.rows.back().part), "refused");
  EXPECT_EQ(testing::check_assignment(refused, encode_plan(refused, checked_.plan)).violation.substr(0, 9),
            "refused: ");

  problem_.refused[0].actions[1][0] ^= 1;  // not how the plan begins
  EXPECT_TRUE(testing::check_assignment(unroll(problem_), encode_plan(model_, checked_.plan)).accepted);
  problem_.refused[0].actions.clear();                                                   // every plan from
  problem_.refused[0].initial[0] = static_cast<BitValue>(1 - checked_.plan.initial[0]);  // another state
  EXPECT_TRUE(testing::check_assignment(unroll(problem_), encode_plan(model_, checked_.plan)).accepted);
  problem_.refused[0].initial[0] = checked_.plan.initial[0];
  EXPECT_FALSE(testing::check_assignment(unroll(problem_), encode_plan(model_, checked_.plan)).accepted);
  problem_.refused[0].actions.assign(8, prefix.actions[0]);  // longer than the horizon
  EXPECT_EQ(unroll(problem_).rows.size(), rows);
}

TEST(Unroll, ObjectiveHasPositiveWeightsAndAnOffset) {
  Problem problem = parse_problem(
      "horizon = 2\nmaximize = \"1.5 x' - 2 a + 1\"\ntransitions = [\"x' == a\"]\n[action]\na = "
      "\"bool\"\n[state]\nx = \"bool\"\n",
      "p", ".");
  const ZeroOneModel model = unroll(problem);
  // Variables: x@1 a@1 x@2 a@2 x@3. The cost of a step is 2 a - 1.5 x' - 1.
  EXPECT_EQ(model.objective, (std::vector<WeightedLit>{{20, Lit::positive({1})},
                                                       {15, Lit::negative({2})},
                                                       {20, Lit::positive({3})},
                                                       {15, Lit::negative({4})}}));
  EXPECT_EQ(model.offset, -2 * 25);
  EXPECT_EQ(model.decimals, 1);
  problem.horizon = 1'000'000;
  for (int i = 0; i < 1200; ++i) problem.state.add({.name = fmt::format("s{}", i)});
  EXPECT_EQ(testing::input_error_of([&] { unroll(problem); }),
            "the model would have 1202001201 variables, more than 2^30: use a shorter horizon");
}

TEST(Unroll, PublishedSizes) {
  BNNPLAN_NEEDS_PUBLISHED();
  Problem problem = read_fd_sat_plan(testing::published_folder(), "navigation", "5x5");
  set_horizon(problem, 10);
  EXPECT_EQ(unroll(problem).layout.variable_count(), 2875u) << "as in the design";
}

}  // namespace
}  // namespace bnnplan::model
