// The true optimum of every shipped instance, by brute force in the simulator, and by the search engine on
// the compiled problem in which all transitions are known.
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/rddl/compile/compile_problem.hpp"
#include "bnnplan/rddl/simulate/legal_pairs.hpp"
#include "bnnplan/rddl/simulate/replay.hpp"
#include "rddl/rddl_text.hpp"

namespace bnnplan::rddl {
namespace {

// The largest total reward over the horizon, layer by layer; nothing if there is no plan.
std::optional<Rational> best_reward(Simulator& simulator, int horizon) {
  const LegalActions actions(simulator, make_bit_layout(simulator.model(), {}));
  std::map<StateValues, Rational> layer = {{simulator.initial_state(), Rational{}}};
  std::vector<std::uint32_t> legal;
  for (int t = 0; t < horizon; ++t) {
    std::map<StateValues, Rational> after;
    for (const auto& [state, reward] : layer) {
      actions.find(state, legal);
      for (const std::uint32_t number : legal) {
        const ActionValues& action = actions.candidates()[number];
        const StateValues next = simulator.step(state, action);
        const Rational total = reward + simulator.reward(state, action, next);
        const auto [entry, fresh] = after.emplace(next, total);
        if (!fresh && entry->second < total) entry->second = total;
      }
    }
    layer = std::move(after);
  }
  std::optional<Rational> best;
  for (const auto& [state, reward] : layer) {
    if (simulator.goal_reached(state) && (!best || *best < reward)) best = reward;
  }
  return best;
}

struct Case {
  std::string_view instance;
  int horizon;
  std::optional<std::int64_t> cost;
};

class Optimum : public ::testing::TestWithParam<Case> {};

TEST_P(Optimum, BruteForceAndSearchAgree) {
  const auto& [name, horizon, cost] = GetParam();
  Simulator simulator = testing::shipped(name);
  const std::optional<Rational> best = best_reward(simulator, horizon);
  ASSERT_EQ(best.has_value(), cost.has_value());
  if (best) {
    EXPECT_EQ(*best, make_rational(-*cost));
  }

  Problem problem = compile_problem(simulator.model(), {});
  set_horizon(problem, horizon);
  const engines::Engine* search = engines::find_engine("search");
  ASSERT_NE(search, nullptr);
  const engines::Outcome outcome = search->run(problem, {});
  if (!cost) {
    EXPECT_EQ(outcome.status, Status::infeasible);
    return;
  }
  ASSERT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(rational_of(cost_in_units(problem, *outcome.cost)), make_rational(*cost));
  EXPECT_TRUE(checking::check_plan(problem, *outcome.plan).accepted);
  const Replay replayed = replay(simulator, problem, *outcome.plan);
  EXPECT_EQ(replayed.violation, "");
  EXPECT_EQ(replayed.diverges, 0);
  EXPECT_EQ(replayed.reward, make_rational(-*cost));
}

// A goal over more bits than a table has is a state variable of its own.
TEST(GoalOfManyBits, IsReachedAtTheSameCost) {
  for (const std::string_view goal :
       {"m * n == 12", "~(m * n ~= 15)", "(m * n == 8) | (m == n + 5)", "m * n == 30"}) {
    SCOPED_TRACE(goal);
    Simulator simulator(testing::model_of(
        fmt::format(
            "domain d {{ pvariables {{ m : {{ state-fluent, int }}; n : {{ state-fluent, int, default = 1 }};"
            " add : {{ action-fluent, bool }}; double : {{ action-fluent, bool }}; }};"
            " cpfs {{ m' = min[7, m + add]; n' = min[7, n + double * n]; }};"
            " reward = -add - 3 * double; state-invariants {{ m >= 0 ^ m <= 7; n >= 0 ^ n <= 7; }};"
            " goal-state {{ {}; }}; }}",
            goal),
        "instance i { domain = d; }"));
    for (const int horizon : {3, 6}) {
      const std::optional<Rational> best = best_reward(simulator, horizon);
      for (const int bits : {4, 14}) {
        CompileOptions options;
        options.table_bits = bits;
        Problem problem = compile_problem(simulator.model(), options);
        const bool watched = std::any_of(problem.state.variables.begin(), problem.state.variables.end(),
                                         [](const Variable& variable) { return variable.name == "goal[1]"; });
        EXPECT_EQ(watched, bits == 4);
        set_horizon(problem, horizon);
        const engines::Outcome outcome = engines::find_engine("search")->run(problem, {});
        ASSERT_EQ(outcome.status, best ? Status::optimal : Status::infeasible);
        if (!best) continue;
        EXPECT_EQ(rational_of(cost_in_units(problem, *outcome.cost)), Rational{} - *best);
        EXPECT_EQ(replay(simulator, problem, *outcome.plan).violation, "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, Optimum,
    ::testing::Values(Case{"navigation_3x3", 3, std::nullopt}, Case{"navigation_3x3", 4, 4},
                      Case{"navigation_3x3", 7, 4}, Case{"navigation_4x4", 5, 5},
                      Case{"navigation_4x4", 8, 5}, Case{"navigation_5x5", 7, std::nullopt},
                      Case{"navigation_5x5", 8, 8}, Case{"navigation_5x5", 10, 8}, Case{"inventory_2", 5, 9},
                      Case{"inventory_2", 6, 16}, Case{"inventory_2", 7, 18}, Case{"inventory_2", 8, 18},
                      Case{"inventory_4", 5, 9}, Case{"inventory_4", 6, 10}, Case{"inventory_4", 7, 10},
                      Case{"inventory_4", 8, 17}, Case{"sysadmin_4", 2, 0}, Case{"sysadmin_4", 3, 4},
                      Case{"sysadmin_4", 4, 4}, Case{"sysadmin_5", 2, 0}, Case{"sysadmin_5", 3, 5},
                      Case{"sysadmin_5", 4, 5}, Case{"cellda_x", 8, std::nullopt}, Case{"cellda_x", 10, 9},
                      Case{"cellda_x", 12, 9}, Case{"cellda_y", 8, 6}, Case{"cellda_y", 10, 6}),
    [](const auto& info) { return fmt::format("{}_H{}", info.param.instance, info.param.horizon); });

}  // namespace
}  // namespace bnnplan::rddl
