// What is special about the search engine: long horizons, layers, threads, limits.
#include <atomic>
#include <chrono>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/search/best_first.hpp"
#include "bnnplan/engines/search/layers.hpp"
#include "bnnplan/engines/search/search_run.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "support/brute_force.hpp"
#include "support/published.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::engines {
namespace {

using testing::random_network_problem;
using testing::random_problem;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

Outcome run(const Problem& problem, const EngineRequest& request = {}) {
  return run_checked(*find_engine("search"), problem, request);
}

// The optimal cost by layers alone; the plan is checked as well.
std::optional<std::int64_t> cost_by_layers(const Problem& problem, EngineRequest request = {},
                                           bool* repeated = nullptr) {
  SearchRun run(problem, request);
  if (!run.begin()) return std::nullopt;
  const auto initial = run.initial_states();
  LayeredSearch layers(run);
  LayeredSearch::Closing closing{1'000'000};
  EXPECT_EQ(layers.run(initial, closing), LayeredSearch::End::finished);
  if (repeated != nullptr) *repeated = layers.periodic();
  if (!layers.has_path()) return std::nullopt;
  const checking::PlanCheck check = checking::check_plan(problem, run.make_plan(layers.best_path()));
  EXPECT_TRUE(check.accepted) << check.violation;
  EXPECT_EQ(check.cost, run.total_cost(layers.best_extra_cost()));
  return check.cost;
}

TEST(LayeredSearch, AgreesWithBruteForce) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed);
    ASSERT_EQ(cost_by_layers(problem), testing::brute_force_cost(problem)) << problem_text(problem);
  }
}

TEST(LongHorizons, AllWaysAgree) {
  int feasible = 0, repeating = 0, discounted = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = random_problem(seed, {.most_state_bits = 4, .most_action_bits = 2});
    if (is_discounted(problem)) {  // one whose weights fit
      problem.objective.discount = {97, -2};
      problem.objective.discount_digits = 5;
      ++discounted;
    }
    set_horizon(problem, 40 + static_cast<std::int64_t>(seed % 37));
    const auto expected = testing::brute_force_cost(problem);
    bool repeated = false;
    ASSERT_EQ(cost_by_layers(problem, {}, &repeated), expected) << problem_text(problem);
    ASSERT_EQ(run(problem).cost, expected) << problem_text(problem);
    feasible += expected ? 1 : 0;
    repeating += repeated ? 1 : 0;
  }
  EXPECT_GE(feasible, 50);
  EXPECT_GE(repeating, 50);
  EXPECT_GE(discounted, 10);
}

// Two rings of 512 states, one of which costs twice as much a step, so that layers never repeat.
Problem two_rings(int horizon) {
  return parse_problem(fmt::format(R"(horizon = {}
minimize = "1 + slow'"
goal = ["clock == 7"]
transitions = ["slow' == slow", "clock' == clock + 1 - 512 carry"]
[state]
slow = "bool"
clock = {{ bits = 9 }}
[auxiliary]
carry = "bool")",
                                   horizon),
                       "rings.toml", ".");
}

TEST(LayeredSearch, KeepsSomeLayersOnlyWhereMemoryIsShort) {
  const Problem problem = two_rings(3000);
  EngineRequest request;
  request.limits.memory_bytes = resident_memory() + 40 * mebibyte;  // all layers would take 24
  bool repeated = true;
  EXPECT_EQ(cost_by_layers(problem, request, &repeated), 3000);
  EXPECT_FALSE(repeated);
}

TEST(LongHorizons, AHundredThousandSteps) {
  const Problem problem = two_rings(100'000);
  const Outcome outcome = run(problem);
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.cost, 100'000);
  BNNPLAN_NEEDS_PUBLISHED();
  Problem navigation = read_fd_sat_plan(testing::published_folder(), "navigation", "5x5");
  set_horizon(navigation, 10'000);
  EXPECT_EQ(run(navigation).cost, 8);
  Problem sysadmin = read_fd_sat_plan(testing::published_folder(), "sysadmin", "4");
  set_horizon(sysadmin, 2'000);
  const Outcome long_sysadmin = run(sysadmin);
  EXPECT_EQ(long_sysadmin.status, Status::optimal);
  set_horizon(sysadmin, 500);  // few enough for the best-first search to be compared with the layers
  EXPECT_EQ(run(sysadmin).cost, cost_by_layers(sysadmin));
}

TEST(Threads, GiveTheSamePlan) {
  const Problem problem =
      random_network_problem(3, {.state_bits = 18, .action_bits = 5, .goal_bits = 11, .horizon = 6});
  EngineRequest request;
  const Outcome one = run(problem, request);
  EXPECT_GT(std::get<std::int64_t>(one.statistics[0].second), 1000);
  for (const unsigned threads : {2u, 4u}) {
    request.limits.threads = threads;
    const Outcome several = run(problem, request);
    EXPECT_EQ(several.status, one.status);
    EXPECT_EQ(several.plan, one.plan);
  }
}

// Costs that are nearly all different, so that batches are filled by looking ahead, and states that cost
// something: the cheapest last step is not the one of the cheapest action.
TEST(LastSteps, DifferentCostsAgreeWithLayers) {
  int feasible = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = random_network_problem(seed, {.state_bits = 9,
                                                    .action_bits = 5,
                                                    .goal_bits = static_cast<int>(seed % 4) + 3,
                                                    .horizon = static_cast<int>(seed % 4) + 1,
                                                    .hidden = {16, 16}});
    std::mt19937_64 random(seed);
    problem.objective.terms.clear();
    for (std::uint32_t i = 0; i < problem.action.bit_count(); ++i) {
      problem.objective.terms.push_back(
          {static_cast<std::int64_t>(1 + random() % 1'000'000), {Place::action, i}});
    }
    for (std::uint32_t i = 0; i < problem.state.bit_count() && seed % 2 == 0; ++i) {
      const auto coefficient = static_cast<std::int64_t>(random() % 1'000'000) - 500'000;
      problem.objective.terms.push_back({coefficient == 0 ? 1 : coefficient, {Place::next, i}});
    }
    const auto expected = cost_by_layers(problem);
    const Outcome outcome = run(problem);
    ASSERT_EQ(outcome.cost, expected);
    ASSERT_EQ(outcome.status, expected ? Status::optimal : Status::infeasible);
    feasible += expected ? 1 : 0;
  }
  EXPECT_GE(feasible, 20);
}

// Best-first search alone, with the last two steps of every node not kept from the start.
TEST(LastSteps, TwoAtOnceAgreeWithBruteForce) {
  int by_two = 0, feasible = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = random_problem(seed, {.most_state_bits = 5, .most_action_bits = 3, .most_steps = 5});
    if (seed % 3 == 0) {
      for (Term& term : problem.objective.terms)
        term.coefficient *= 1 + static_cast<std::int64_t>(seed % 1000);
    }
    const auto expected = testing::brute_force_cost(problem);
    EngineRequest request;
    request.limits.threads = seed % 4 == 0 ? 2 : 1;
    SearchRun run(problem, request);
    run.edges_before_last_two = 0;
    if (!run.begin()) {
      ASSERT_FALSE(expected);
      continue;
    }
    const auto initial = run.initial_states();
    BestFirst search(run, false);
    for (const StateId state : initial) search.add_initial(state);
    ASSERT_EQ(search.run(~std::uint64_t{0}, ~std::size_t{0}), BestFirst::End::finished);
    ASSERT_EQ(search.has_path(), expected.has_value()) << problem_text(problem);
    by_two += run.estimate->empty() && problem.horizon >= 2 && search.expanded() > 0 ? 1 : 0;
    if (!expected) continue;
    ++feasible;
    ASSERT_EQ(run.total_cost(search.best_extra_cost()), *expected) << problem_text(problem);
    const checking::PlanCheck check = checking::check_plan(problem, run.make_plan(search.best_path()));
    ASSERT_TRUE(check.accepted) << check.violation;
    ASSERT_EQ(check.cost, *expected);
  }
  EXPECT_GE(by_two, 1000);
  EXPECT_GE(feasible, 1000);
}

TEST(LastSteps, TwoAtOnceGiveTheSamePlanForAnyNumberOfThreads) {
  const Problem problem =
      random_network_problem(7, {.state_bits = 30, .action_bits = 8, .goal_bits = 16, .horizon = 4});
  EngineRequest request;
  const Outcome one = run(problem, request);
  EXPECT_EQ(one.status, Status::optimal);
  request.limits.threads = 3;
  const Outcome three = run(problem, request);
  EXPECT_EQ(three.plan, one.plan);
  EXPECT_EQ(three.lower_bound, one.lower_bound);
}

TEST(LastSteps, AreNotKept) {
  const Problem problem =
      random_network_problem(3, {.state_bits = 20, .action_bits = 8, .goal_bits = 20, .horizon = 2});
  const Outcome outcome = run(problem);
  EXPECT_EQ(outcome.status, Status::infeasible);
  // 256 actions from the initial state, and 256 from each of the next.
  EXPECT_LE(std::get<std::int64_t>(outcome.statistics[0].second), 257);
}

Problem endless() { return testing::shift_register_problem(60, 100); }

TEST(LimitsOfSearch, Time) {
  EngineRequest request;
  request.limits.seconds = 0.3;
  request.limits.memory_bytes = resident_memory() + 2000 * mebibyte;
  const Outcome outcome = run(endless(), request);
  EXPECT_EQ(outcome.stopped, StopReason::time);
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_TRUE(outcome.lower_bound);
  EXPECT_LT(outcome.seconds, 3);
}

TEST(LimitsOfSearch, Memory) {
  EngineRequest request;
  request.limits.memory_bytes = resident_memory() + 64 * mebibyte;
  const Outcome outcome = run(endless(), request);
  EXPECT_EQ(outcome.stopped, StopReason::memory);
  EXPECT_EQ(outcome.status, Status::unknown);
}

TEST(LimitsOfSearch, InterruptFromAnotherThread) {
  std::atomic<bool> interrupt = false;
  EngineRequest request;
  request.limits.interrupt = &interrupt;
  request.limits.memory_bytes = resident_memory() + 4000 * mebibyte;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    interrupt = true;
  });
  const Outcome outcome = run(endless(), request);
  later.join();
  EXPECT_EQ(outcome.stopped, StopReason::interrupted);
}

TEST(LimitsOfSearch, TheBestPlanSoFarIsTold) {
  // Every state is a goal, so that any search finds a plan at once. The bits are paid for when they fall out.
  Problem problem = endless();
  problem.goal.clear();
  problem.objective.terms = {{-1, {Place::action, 0}}, {2, {Place::next, 59}}};
  EngineRequest request;
  request.limits.memory_bytes = resident_memory() + 2000 * mebibyte;
  Outcome outcome;
  for (double seconds = 1; seconds <= 16 && !outcome.plan; seconds *= 4) {  // a sanitizer makes it slow
    request.limits.seconds = seconds;
    outcome = run(problem, request);
  }
  if (outcome.status == Status::optimal) GTEST_SKIP() << "this machine solves it within a second";
  EXPECT_EQ(outcome.status, Status::feasible);
  ASSERT_TRUE(outcome.plan);
  EXPECT_LT(*outcome.lower_bound, *outcome.cost);
}

TEST(LimitsOfSearch, TooManyActionsOfOneCost) {
  Problem problem =
      random_network_problem(5, {.state_bits = 10, .action_bits = 24, .goal_bits = 0, .horizon = 2});
  problem.objective = {};
  EngineRequest any_plan;
  any_plan.first = true;
  const Outcome plan = run(problem, any_plan);
  EXPECT_EQ(plan.status, Status::feasible);
  problem.goal.push_back({{{1, {Place::state, 0}}}, Comparison::at_least, 2, "2 <= s0"});  // never true
  const Outcome unknown = run(problem);
  EXPECT_EQ(unknown.status, Status::unknown);
  EXPECT_EQ(unknown.stopped, StopReason::too_large);
  EXPECT_EQ(unknown.lower_bound, 0);
}

}  // namespace
}  // namespace bnnplan::engines
