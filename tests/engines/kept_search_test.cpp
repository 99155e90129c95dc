// Planning again and again on one graph: the same answers as without it, for less work.
#include "bnnplan/engines/search/kept_search.hpp"

#include <gtest/gtest.h>

#include "bnnplan/engines/checked_run.hpp"
#include "support/brute_force.hpp"
#include "support/input_error_of.hpp"
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

TEST(KeptSearch, SolvesGrowingHorizons) {
  const Problem problem = random_network_problem(
      3, {.state_bits = 14, .action_bits = 4, .goal_bits = 8, .horizon = 1, .hidden = {24}});
  const auto answers = search_horizons(problem, 1, 8, false, {});
  ASSERT_EQ(answers.size(), 8u);
  std::int32_t shortest = 0;
  std::int64_t kept = 0, repeated = 0;
  for (std::int32_t horizon = 1; horizon <= 8; ++horizon) {
    Problem longer = problem;
    set_horizon(longer, horizon);
    const Outcome fresh = run_checked(*find_engine("search"), longer, {});
    const Outcome& answer = answers[static_cast<std::size_t>(horizon - 1)];
    ASSERT_EQ(answer.status, fresh.status) << horizon;
    ASSERT_EQ(answer.cost, fresh.cost) << horizon;
    if (answer.plan && shortest == 0) shortest = horizon;
    kept += evaluations_of(answer);
    repeated += evaluations_of(fresh);
  }
  EXPECT_LT(kept, repeated);
  ASSERT_GT(shortest, 0);
  const auto until = search_horizons(problem, 1, 8, true, {});
  ASSERT_EQ(until.size(), static_cast<std::size_t>(shortest));
  EXPECT_TRUE(until.back().plan);
}

TEST(KeptSearch, KeepsLimits) {
  const Problem endless = testing::shift_register_problem(60, 100);
  Limits limits;
  limits.seconds = 0.2;
  limits.memory_bytes = resident_memory() + (std::size_t{2000} << 20);
  const auto answers = search_horizons(endless, 99, 100, false, limits);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].stopped, StopReason::time);
  EXPECT_EQ(testing::input_error_of([&] { search_horizons(endless, 1, 2'000'000, false, {}); }),
            "horizon 2000000 is out of range, expected 1 to 1000000");
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
