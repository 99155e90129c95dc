// Local search: what it tells is a plan and costs what it says, it finds good ones, and it keeps its limits.
#include "bnnplan/engines/local/local_search.hpp"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/local/plan_replay.hpp"
#include "bnnplan/engines/local/with_local_search.hpp"
#include "bnnplan/engines/neuron/neuron_engine.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "support/brute_force.hpp"
#include "support/frontier.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::engines {
namespace {

Change random_change(const PlanReplay& replay, std::mt19937_64& random) {
  const auto below = [&](std::size_t count) { return static_cast<std::uint32_t>(random() % count); };
  if (!replay.free_initial().empty() && (replay.action_bits() == 0 || random() % 4 == 0)) {
    return {.initial = replay.free_initial()[below(replay.free_initial().size())]};
  }
  Change change{.step = below(replay.horizon())};
  if (replay.action_bits() == 0) return change;
  change.first = below(replay.action_bits());
  if (random() % 3 == 0) change.second = below(replay.action_bits());
  if (change.second == change.first) change.second = Change::none;
  return change;
}

// Changes that are replayed together from where they differ stand as the sequences that they make.
TEST(PlanReplay, VariantsStandAsTheSequencesThatTheyMake) {
  int plans = 0, dead = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = testing::random_problem(seed, {.most_state_bits = 6, .most_steps = 6});
    std::mt19937_64 random(seed);
    LimitWatch watch{Limits{}};
    PlanReplay replay(problem, watch);
    Standing now = replay.replay();
    for (int round = 0; round < 8; ++round) {
      std::vector<Change> changes;
      for (int i = 0; i < 12; ++i) changes.push_back(random_change(replay, random));
      std::vector<Standing> standings;
      replay.evaluate(changes, standings);
      for (std::size_t i = 0; i < changes.size(); ++i) {
        replay.apply(changes[i]);
        const Standing alone = replay.replay();
        ASSERT_EQ(alone.violation, standings[i].violation);
        if (alone.violation == 0) {
          ASSERT_EQ(alone.cost, standings[i].cost);
        }
        replay.apply(changes[i]);  // and back
        const Standing again = replay.replay();
        ASSERT_EQ(again.violation, now.violation);
      }
      replay.apply(changes[0]);
      now = replay.replay();
      const auto plan = replay.plan();
      dead += plan ? 0 : 1;
      if (!plan || !problem.refused.empty()) continue;
      // It is a plan exactly if nothing is violated.
      const checking::PlanCheck check = checking::check_plan(problem, *plan);
      ASSERT_EQ(check.accepted, now.violation == 0) << check.violation << "\n" << problem_text(problem);
      if (!check.accepted) continue;
      ASSERT_EQ(check.cost,
                now.cost + total_weight(step_weights(problem), problem.horizon) * problem.objective.constant);
      ++plans;
    }
  }
  EXPECT_GE(plans, 100);
  EXPECT_GE(dead, 20);
}

TEST(LocalSearch, TellsPlansOnlyAndMostlyTheBest) {
  int found = 0, best = 0, feasible = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = testing::random_problem(seed);
    const auto expected = testing::brute_force_cost(problem);
    LimitWatch watch{Limits{}};
    std::optional<std::int64_t> last;
    local_search(problem, watch, 3000,
                 {[&](const Plan& plan, std::int64_t cost) {
                    const checking::PlanCheck check = checking::check_plan(problem, plan);
                    EXPECT_TRUE(check.accepted) << check.violation;
                    EXPECT_EQ(check.cost, cost);
                    EXPECT_TRUE(!last || cost < *last);
                    last = cost;
                    return true;
                  },
                  {}});
    ASSERT_TRUE(!last || expected);
    if (!expected) continue;
    ++feasible;
    if (last) {
      ASSERT_GE(*last, *expected);
      ++found;
    }
    best += last == expected ? 1 : 0;
  }
  // Steps that leave a choice are followed one way only, so that some plans are out of reach.
  EXPECT_GE(feasible, 150);
  EXPECT_GE(found, feasible * 8 / 10);
  EXPECT_GE(best, feasible * 7 / 10);
}

TEST(LocalSearch, TheSameSeedFindsTheSamePlans) {
  const Problem problem =
      testing::random_network_problem(5, {.state_bits = 20, .action_bits = 8, .horizon = 4});
  const auto costs = [&](std::uint64_t seed) {
    Limits limits;
    limits.seed = seed;
    LimitWatch watch(limits);
    std::vector<Plan> plans;
    local_search(problem, watch, 50'000,
                 {[&](const Plan& plan, std::int64_t) {
                    plans.push_back(plan);
                    return true;
                  },
                  {}});
    return plans;
  };
  const auto first = costs(1);
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, costs(1));
}

TEST(LocalSearch, TellsNothingThatIsNoBetterThanWhatIsKnown) {
  const Problem problem = testing::ring_problem(9, 2);
  LimitWatch watch{Limits{}};
  const auto search = [&](std::int64_t upper) {
    int told = 0;
    local_search(problem, watch, 20'000,
                 {[&](const Plan&, std::int64_t cost) {
                    EXPECT_LT(cost, upper);
                    ++told;
                    return true;
                  },
                  [&] { return upper; }});
    return told;
  };
  EXPECT_EQ(search(3), 0);  // the optimum
  EXPECT_EQ(search(4), 1);
}

TEST(LocalSearch, EndsWhenToldEnoughAtLimitsAndWithNothingToChange) {
  const Problem problem = testing::ring_problem(9, 2);
  EngineRequest request;
  request.first = true;
  const Outcome any = run_local_search(problem, request);
  EXPECT_EQ(any.status, Status::feasible);
  EXPECT_EQ(any.bounds.size(), 1u);
  EXPECT_FALSE(any.lower_bound);
  request.limits.seconds = 0;
  const Outcome none = run_local_search(problem, request);
  EXPECT_EQ(none.status, Status::unknown);
  EXPECT_EQ(none.stopped, StopReason::time);
  const Problem fixed =
      parse_problem("horizon = 2\ntransitions = [\"x' == x\"]\n[state]\nx = \"bool\"\n[initial]\nx = true\n",
                    "fixed.toml", ".");
  EXPECT_EQ(run_local_search(fixed, {}).status, Status::unknown);
  Problem longer = problem;
  set_horizon(longer, 100'000);
  EXPECT_FALSE(suits_local_search(longer));
}

// Large coefficients do not overflow, and long plans look at their limits.
TEST(LocalSearch, LargeNumbers) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Problem problem = testing::random_problem(seed, {.large_numbers = true});
    LimitWatch watch{Limits{}};
    local_search(problem, watch, 2000, {[](const Plan&, std::int64_t) { return true; }, {}});
  }
}

TEST(WithLocalSearch, NeuronProvesWhatLocalSearchFinds) {
  int proved = 0, by_local = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = testing::random_problem(seed);
    EngineRequest request;
    std::optional<std::int64_t> told;
    request.callbacks.improvement = [&](const Improvement& improvement) {
      EXPECT_TRUE(!told || improvement.cost < *told);
      told = improvement.cost;
      EXPECT_TRUE(checking::check_plan(problem, improvement.plan()).accepted);
    };
    const Outcome outcome = run_with_local_search(run_neuron, problem, request);
    const auto expected = testing::brute_force_cost(problem);
    ASSERT_EQ(outcome.cost, expected) << problem_text(problem);
    ASSERT_EQ(outcome.status, expected ? Status::optimal : Status::infeasible);
    ASSERT_EQ(told, expected);
    if (expected) {
      ASSERT_EQ(outcome.lower_bound, expected);
      ASSERT_TRUE(checking::check_plan(problem, *outcome.plan).accepted);
      ++proved;
    }
    by_local += outcome.engine == "neuron (plan by local)" ? 1 : 0;
  }
  EXPECT_GE(proved, 100);
  EXPECT_GE(by_local, 50);
  EngineRequest first;
  first.first = true;
  const Problem problem =
      testing::random_network_problem(3, {.state_bits = 16, .action_bits = 6, .goal_bits = 4});
  EXPECT_EQ(run_checked(*find_engine("neuron"), problem, first).status, Status::feasible);
}

TEST(LocalSearch, FindsTheBestPlansOfTheFrontierEarly) {
  BNNPLAN_NEEDS_FRONTIER();
  for (const auto& [name, optimum] : {std::pair{"sysl_8", 7}, {"sysl_10", 9}, {"sys_30", 30}}) {
    SCOPED_TRACE(name);
    const Problem problem = read_problem(testing::frontier_folder() / (std::string(name) + ".toml"));
    LimitWatch watch{Limits{}};
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    local_search(problem, watch, 1'000'000,
                 {[&](const Plan&, std::int64_t cost) {
                    best = cost;
                    return cost > optimum;
                  },
                  {}});
    EXPECT_EQ(best, optimum);
  }
}

}  // namespace
}  // namespace bnnplan::engines
