// Planning again and again on one graph: the same answers as without it, for less work.
#include "bnnplan/engines/search/kept_search.hpp"

#include <gtest/gtest.h>

#include "bnnplan/engines/checked_run.hpp"
#include "support/brute_force.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::engines {
namespace {

using testing::random_network_problem;
using testing::random_problem;

std::int64_t evaluations_of(const Outcome& outcome) {
  for (const auto& [name, value] : outcome.statistics) {
    if (name == "evaluations") return std::get<std::int64_t>(value);
  }
  ADD_FAILURE();
  return 0;
}

// Plans, takes the first step, and plans again from there.
TEST(KeptSearch, FollowsARecedingHorizon) {
  Problem problem = random_network_problem(
      3, {.state_bits = 16, .action_bits = 5, .goal_bits = 3, .horizon = 6, .hidden = {24}});
  for (std::uint32_t bit = 0; bit < problem.state.bit_count(); ++bit)
    problem.objective.terms.push_back({1, {Place::next, bit}});
  KeptSearch search(problem);
  std::int64_t kept = 0, repeated = 0;
  int steps = 0;
  for (; steps < 8; ++steps) {
    const Outcome fresh = run_checked(*find_engine("search"), search.problem(), {});
    EngineRequest request;
    request.limits.threads = 2;
    const Outcome outcome = search.plan(request);
    ASSERT_EQ(outcome.status, fresh.status);
    ASSERT_EQ(outcome.cost, fresh.cost);
    ASSERT_EQ(outcome.lower_bound, fresh.lower_bound);
    kept += evaluations_of(outcome);
    repeated += evaluations_of(fresh);
    if (!outcome.plan) break;
    search.set_initial(outcome.plan->steps.front().state);
  }
  EXPECT_GE(steps, 4);
  EXPECT_LT(kept, repeated);
}

TEST(KeptSearch, AgreesWithBruteForce) {
  int feasible = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed);
    KeptSearch search(problem);
    for (int horizon = 1; horizon <= 4; ++horizon) {
      search.set_horizon(horizon);
      if (horizon == 3) search.set_initial(BitValues(problem.state.bit_count(), unknown_bit));
      if (horizon == 4) search.set_initial(problem.initial);
      const auto expected = testing::brute_force_cost(search.problem());
      const Outcome outcome = search.plan();
      ASSERT_EQ(outcome.cost, expected) << horizon;
      ASSERT_EQ(outcome.status, expected ? Status::optimal : Status::infeasible);
      feasible += expected ? 1 : 0;
    }
  }
  EXPECT_GE(feasible, 400);
}

// The graph of breadth-first search serves the plan for the horizon that it found.
TEST(KeptSearch, FindsTheFewestStepsAndPlans) {
  const Problem problem = random_network_problem(
      3, {.state_bits = 14, .action_bits = 4, .goal_bits = 8, .horizon = 1, .hidden = {24}});
  KeptSearch search(problem);
  const KeptSearch::Horizons horizons = search.exclude_horizons(8, {});
  ASSERT_TRUE(horizons.has_plan);
  ASSERT_GE(horizons.excluded, 1);
  search.set_horizon(horizons.excluded);
  EXPECT_EQ(run_checked(*find_engine("search"), search.problem(), {}).status, Status::infeasible);
  search.set_horizon(horizons.excluded + 1);
  const Outcome fresh = run_checked(*find_engine("search"), search.problem(), {});
  const Outcome kept = search.plan();
  EXPECT_EQ(kept.status, Status::optimal);
  EXPECT_EQ(kept.cost, fresh.cost);
  EXPECT_LT(evaluations_of(kept), evaluations_of(fresh));
}

TEST(KeptSearch, ContinuesAfterALimit) {
  const Problem problem = testing::shift_register_problem(13, 1);
  KeptSearch search(problem);
  std::atomic<bool> interrupt = false;
  Limits limits;
  limits.interrupt = &interrupt;
  EngineCallbacks callbacks;
  callbacks.horizon = [&](int horizon) { interrupt = horizon == 9; };
  const KeptSearch::Horizons stopped = search.exclude_horizons(20, limits, callbacks);
  EXPECT_EQ(stopped.stopped, StopReason::interrupted);
  EXPECT_FALSE(stopped.has_plan);
  EXPECT_GE(stopped.excluded, 8);
  EXPECT_LT(stopped.excluded, 12);
  const KeptSearch::Horizons rest = search.exclude_horizons(20, {});
  EXPECT_EQ(rest.excluded, 12);
  EXPECT_TRUE(rest.has_plan);
}

TEST(KeptSearch, KeepsLimits) {
  const Problem endless = testing::shift_register_problem(60, 100);
  // What the graph holds already does not count twice.
  KeptSearch search(endless);
  EngineRequest request;
  request.limits.memory_bytes = resident_memory() + (std::size_t{200} << 20);
  EXPECT_EQ(search.plan(request).stopped, StopReason::memory);
  request.limits.memory_bytes = resident_memory() + (std::size_t{100} << 20);
  request.limits.seconds = 0.2;
  EXPECT_EQ(search.plan(request).stopped, StopReason::time);
}

}  // namespace
}  // namespace bnnplan::engines
