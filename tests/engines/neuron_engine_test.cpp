// The neuron engine: limits while it unrolls and while it solves, seeds, statistics, and the bounds of
// others.
#include "bnnplan/engines/neuron/neuron_engine.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/input_error_of.hpp"
#include "support/random_problem.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::engines {
namespace {

using testing::corridor;

TEST(NeuronEngine, ATimeLimitEndsUnrollingToo) {
  const Problem problem = testing::shift_register_problem(60, 10'000);
  EngineRequest request;
  request.limits.seconds = 0.1;
  const Stopwatch stopwatch;
  const Outcome outcome = run_neuron(problem, request);
  EXPECT_EQ(outcome.stopped, StopReason::time);
  EXPECT_LT(stopwatch.seconds(), 5);
}

TEST(NeuronEngine, SeedsChangeThePlanAndNotTheCost) {
  std::set<std::vector<BitValues>> plans;
  for (const std::uint64_t seed : {0, 1, 2, 3, 4, 5, 6, 7}) {
    EngineRequest request;
    request.limits.seed = seed;
    Problem problem = testing::ring_problem(9, 3);
    const Outcome outcome = run_checked(*find_engine("neuron"), problem, request);
    EXPECT_EQ(outcome.status, Status::optimal);
    EXPECT_EQ(outcome.cost, 2);
    std::vector<BitValues> actions;
    for (const PlanStep& step : outcome.plan->steps)
      actions.emplace_back(step.action.begin(), step.action.end());
    plans.insert(actions);
  }
  EXPECT_GT(plans.size(), 1u);
}

TEST(NeuronEngine, StatesItsStatistics) {
  const Outcome outcome = run_neuron(read_problem(corridor), {});
  for (const char* name : {"conflicts", "decisions", "propagations", "propagations_per_second", "restarts",
                           "learned_literals_per_clause", "learned_levels_per_clause",
                           "minimised_literals_per_clause", "deleted_clauses", "bytes"}) {
    EXPECT_TRUE(std::any_of(outcome.statistics.begin(), outcome.statistics.end(), [&](const auto& entry) {
      return entry.first == name;
    })) << name;
  }
}

// With the plan of another engine, as good as any or better than nothing, it still proves the optimum.
TEST(NeuronEngine, TheBoundsOfOthersNeverChangeTheOptimum) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = testing::random_problem(seed);
    const auto best = testing::brute_force_cost(problem);
    for (const std::int64_t slack : {0, 1, 5}) {
      SharedBounds shared;
      if (best) shared.upper = *best + slack;
      EngineRequest request;
      request.shared = &shared;
      const Outcome outcome = run_neuron(problem, request);
      if (!best) {
        ASSERT_EQ(outcome.status, Status::infeasible);
        continue;
      }
      ASSERT_EQ(outcome.lower_bound, best);
      ASSERT_EQ(shared.lower, *best);
      ASSERT_EQ(shared.upper, *best);
      if (slack > 0) {
        ASSERT_EQ(outcome.cost, best);
        ASSERT_EQ(outcome.status, Status::optimal);
      } else {
        ASSERT_EQ(outcome.status, Status::unknown);  // the plan is another's
      }
    }
  }
}

// Proving that a ring needs this number of seeds is counting, which cores do and clauses do not.
TEST(NeuronEngine, RingsAreCounted) {
  for (const int cells : {3, 5, 6, 17, 26}) {
    const Outcome outcome = run_checked(*find_engine("neuron"), testing::ring_problem(cells, 3), {});
    EXPECT_EQ(outcome.status, Status::optimal);
    EXPECT_EQ(outcome.cost, (cells + 4) / 5);
  }
}

}  // namespace
}  // namespace bnnplan::engines
