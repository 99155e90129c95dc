// The smallest horizon that has a plan, by every engine: against brute force, without a plan, at limits.
#include "bnnplan/engines/shortest.hpp"

#include <atomic>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/input_error_of.hpp"
#include "support/random_problem.hpp"
#include "support/shipped.hpp"

namespace bnnplan::engines {
namespace {

using testing::corridor;

Outcome shortest(const char* engine, const Problem& problem, const EngineRequest& request = {}) {
  return run_shortest(*find_engine(engine), problem, request);
}

// A counter up to 15 that may be increased by 1 at a cost of 1, and a key that stays where it is.
Problem count_to(const std::string& goal, const std::string& more = "") {
  return parse_problem(
      more + "transitions = [\"n' == n + up\", \"key' == key\"]\nminimize = \"up\"\ngoal = [\"" + goal +
          "\"]\n[state]\nn = { bits = 4 }\nkey = \"bool\"\n[action]\nup = \"bool\"\n"
          "[initial]\nn = 0\nkey = false\n",
      "p.toml", ".");
}

class Shortest : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(By, Shortest, ::testing::Values("auto", "search", "neuron", "maxsat"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(Shortest, AgreesWithBruteForce) {
  int found = 0, longer = 0, none = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = testing::random_problem(seed);
    const int most = problem.horizon;
    EngineRequest request;
    request.limits.seed = seed % 3;
    request.first = seed % 4 == 0;
    const Outcome outcome = shortest(GetParam(), problem, request);
    int fewest = 1;
    std::optional<std::int64_t> best;
    for (; fewest <= most && !best; fewest += best ? 0 : 1) {
      set_horizon(problem, fewest);
      best = testing::brute_force_cost(problem);
    }
    if (!best) {
      ASSERT_EQ(outcome.status, Status::infeasible);
      ASSERT_EQ(outcome.shortest, most);
      ASSERT_EQ(outcome.excluded(), most);
      ++none;
      continue;
    }
    ASSERT_EQ(outcome.shortest, fewest);
    ASSERT_EQ(outcome.excluded(), fewest - 1);
    ASSERT_EQ(outcome.status, request.first ? Status::feasible : Status::optimal);
    const checking::PlanCheck check = checking::check_plan(problem, *outcome.plan);
    ASSERT_TRUE(check.accepted) << check.violation;
    ASSERT_EQ(check.cost, *outcome.cost);
    if (!request.first) {
      ASSERT_EQ(check.cost, *best);
    }
    ++(fewest > 1 ? longer : found);
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(longer, 5);
  EXPECT_GT(none, 50);
}

TEST_P(Shortest, LooksBeyondAndUpToTheHorizon) {
  Problem problem = read_problem(corridor);  // one to the key, four to the door
  for (const int most : {0, 5, 7, 20}) {
    problem.horizon = most;
    const Outcome outcome = shortest(GetParam(), problem);
    EXPECT_EQ(outcome.status, Status::optimal) << most;
    EXPECT_EQ(outcome.shortest, 5);
    EXPECT_EQ(outcome.cost, 5);
  }
  problem.horizon = 4;
  EXPECT_EQ(shortest(GetParam(), problem).status, Status::infeasible);
  EXPECT_EQ(shortest(GetParam(), problem).shortest, 4);
}

TEST_P(Shortest, OneStepAndBackAgain) {
  Problem problem = count_to("n == 0");
  EXPECT_EQ(shortest(GetParam(), problem).shortest, 1);
  EXPECT_EQ(shortest(GetParam(), problem).excluded(), 0);
  // It changes in every step, so that it takes two to come back to the initial state.
  const Problem toggle = parse_problem(
      "transitions = [\"s' + s == 1\"]\ngoal = [\"s == 0\"]\n[state]\ns = \"bool\"\n[initial]\ns = false\n",
      "p.toml", ".");
  EXPECT_EQ(shortest(GetParam(), toggle).shortest, 2);
}

TEST_P(Shortest, RefusesPrefixes) {
  Problem problem = count_to("n == 2");
  const BitValues any(problem.state.bit_count(), unknown_bit);
  EXPECT_EQ(shortest(GetParam(), problem).shortest, 2);
  problem.refused.push_back({any, {{1}, {0}, {1}}});  // longer than the shortest plan
  EXPECT_EQ(shortest(GetParam(), problem).shortest, 2);
  problem.refused.push_back({any, {{1}, {1}}});
  EXPECT_EQ(shortest(GetParam(), problem).shortest, 3);
  problem.refused.push_back({any, {{0}, {1}, {1}}});
  EXPECT_EQ(shortest(GetParam(), problem).shortest, 4);
}

TEST_P(Shortest, SaysWhichHorizonsAreExcludedAtALimit) {
  const std::atomic<bool> interrupt = true;
  EngineRequest request;
  request.limits.interrupt = &interrupt;
  const Outcome stopped = shortest(GetParam(), read_problem(corridor), request);
  EXPECT_EQ(stopped.status, Status::unknown);
  EXPECT_EQ(stopped.stopped, StopReason::interrupted);
  EXPECT_EQ(stopped.excluded(), 0);
  // No horizon has a plan, but only search notices.
  const Problem never = count_to("key == 1");
  std::atomic<bool> later = false;
  request.limits.interrupt = &later;
  request.callbacks.horizon = [&](int horizon) { later = horizon == 4; };
  const Outcome outcome = shortest(GetParam(), never, request);
  if (outcome.status == Status::infeasible) return;
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_GE(outcome.excluded(), 3);
  EXPECT_LE(outcome.excluded(), 4);
}

TEST_P(Shortest, EndsWhereVariablesOrCostsDo) {
  Problem problem = count_to("n == 9", "longest = 6\n");
  EXPECT_EQ(shortest(GetParam(), problem).status, Status::infeasible);
  EXPECT_EQ(shortest(GetParam(), problem).shortest, 6);
  problem = count_to("n == 15", "discount = \"0.93\"\n");
  const std::string error = testing::input_error_of([&] { shortest(GetParam(), problem); });
  EXPECT_EQ(error.find("no plan has fewer than "), 0u) << error;
  EXPECT_NE(error.find("discount of 0.93 over "), std::string::npos) << error;
}

// Once all reachable states are known, no horizon is left to be tried.
TEST(ShortestBySearch, ProvesThatNoHorizonHasAPlan) {
  for (const char* engine : {"search", "auto"}) {
    const Outcome outcome = shortest(engine, count_to("key == 1"));
    EXPECT_EQ(outcome.status, Status::infeasible);
    EXPECT_EQ(outcome.shortest, horizon_limit);
    EXPECT_LT(outcome.seconds, 5);
  }
  int none = 0, found = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = testing::random_problem(seed);
    problem.objective = {};
    problem.horizon = 0;
    const Outcome outcome = shortest("search", problem);
    for (const int horizon : {3, 5, 8, 13}) {
      if (outcome.plan && horizon >= outcome.shortest) break;
      set_horizon(problem, horizon);
      ASSERT_EQ(run_checked(*find_engine("search"), problem, {}).status, Status::infeasible) << horizon;
    }
    ++(outcome.plan ? found : none);
  }
  EXPECT_GT(none, 30);
  EXPECT_GT(found, 50);
}

TEST(ShortestBySearch, StopsAtTheTimeLimit) {
  const Problem endless = testing::shift_register_problem(60, 100);
  EngineRequest request;
  request.limits.seconds = 0.3;
  request.limits.memory_bytes = resident_memory() + (std::size_t{2000} << 20);
  const Outcome outcome = shortest("search", endless, request);
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_EQ(outcome.stopped, StopReason::time);
  EXPECT_GE(outcome.excluded(), 4);
  EXPECT_LT(outcome.excluded(), 59);
}

// A register with known transitions has 2^t states after t steps: breadth-first search gives up after a
// second, and the other engines exclude the rest of the horizons at once.
TEST(ShortestByAll, ExcludesHorizonsWithManyStates) {
  constexpr int bits = 28;
  std::string transitions = "\"b0' == a\"", goal = "\"b0 == 1\"", state = "b0 = \"bool\"\n",
              initial = "b0 = 0\n";
  for (int i = 1; i < bits; ++i) {
    transitions += fmt::format(", \"b{}' == b{}\"", i, i - 1);
    goal += fmt::format(", \"b{} == 1\"", i);
    state += fmt::format("b{} = \"bool\"\n", i);
    initial += fmt::format("b{} = 0\n", i);
  }
  const Problem problem = parse_problem(fmt::format("transitions = [{}]\nminimize = \"a\"\ngoal = "
                                                    "[{}]\n[state]\n{}[action]\na = \"bool\"\n[initial]\n{}",
                                                    transitions, goal, state, initial),
                                        "p.toml", ".");
  std::vector<int> horizons;
  EngineRequest request;
  request.callbacks.horizon = [&](int horizon) { horizons.push_back(horizon); };
  const Outcome outcome = shortest("auto", problem, request);
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.shortest, bits);
  EXPECT_EQ(outcome.cost, bits);
  ASSERT_EQ(horizons.size(), std::size_t{bits});
  for (int i = 0; i < bits; ++i) EXPECT_EQ(horizons[static_cast<std::size_t>(i)], i + 1);
}

}  // namespace
}  // namespace bnnplan::engines
