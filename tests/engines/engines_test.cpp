// One suite for all engines: agreement with brute force on random problems of all kinds, the limits of what
// may be asked, and what every outcome promises.
#include <algorithm>
#include <atomic>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "support/brute_force.hpp"
#include "support/random_problem.hpp"
#include "support/shipped.hpp"

namespace bnnplan::engines {

void PrintTo(const Engine& engine, std::ostream* out) { *out << engine.name; }

namespace {

using testing::corridor;
using testing::random_problem;

class Engines : public ::testing::TestWithParam<Engine> {
 protected:
  // The external engine is given a solver that is always there: our own.
  static Outcome run(const Problem& problem, EngineRequest request = {}) {
    if (external()) request.solver = BNNPLAN_PROGRAM " maxsat";
    return run_checked(GetParam(), problem, request);
  }
  static bool external() { return GetParam().name == "external"; }
  // BNNPLAN_RANDOM_PROBLEMS asks for more than the usual number. A process each takes its time.
  static std::uint64_t random_problem_count() {
    const char* given = std::getenv("BNNPLAN_RANDOM_PROBLEMS");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : external() ? 100 : 1000;
  }
  static void expect_optimal(const Problem& problem, std::int64_t cost) {
    const Outcome outcome = run(problem);
    EXPECT_EQ(outcome.status, Status::optimal);
    EXPECT_EQ(outcome.cost, cost);
    EXPECT_EQ(outcome.lower_bound, cost);
    ASSERT_TRUE(outcome.plan);
    EXPECT_EQ(outcome.plan->steps.size(), static_cast<std::size_t>(problem.horizon));
    ASSERT_FALSE(outcome.bounds.empty());
    EXPECT_EQ(outcome.bounds.back().lower, cost);
    EXPECT_EQ(outcome.bounds.back().upper, cost);
  }
};

INSTANTIATE_TEST_SUITE_P(All, Engines, ::testing::ValuesIn(all_engines().begin(), all_engines().end()),
                         [](const auto& info) { return std::string(info.param.name); });

Problem text_problem(const std::string& text) { return parse_problem(text, "test.toml", "."); }

TEST_P(Engines, AgreeWithBruteForce) {
  int infeasible = 0, free_initial = 0, auxiliary = 0, no_network = 0, no_action = 0, integer = 0,
      negative = 0, known = 0, decimals = 0, refused = 0, discounted = 0;
  for (std::uint64_t seed = 1; seed <= random_problem_count(); ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed);
    const auto best = testing::brute_force_cost(problem);
    EngineRequest request;
    request.limits.threads = seed % 3 == 0 ? 2 : 1;
    request.limits.seed = seed % 2;
    const Outcome outcome = run(problem, request);
    ASSERT_EQ(outcome.status, best ? Status::optimal : Status::infeasible) << problem_text(problem);
    ASSERT_EQ(outcome.cost, best) << problem_text(problem);
    ASSERT_EQ(outcome.lower_bound, best);
    infeasible += best ? 0 : 1;
    free_initial += std::count(problem.initial.begin(), problem.initial.end(), unknown_bit) > 0 ? 1 : 0;
    auxiliary += problem.auxiliary.bit_count() > 0 ? 1 : 0;
    no_network += problem.network ? 0 : 1;
    no_action += problem.action.bit_count() == 0 ? 1 : 0;
    known += problem.transitions.empty() ? 0 : 1;
    decimals += problem.objective.decimals > 0 ? 1 : 0;
    discounted += is_discounted(problem) ? 1 : 0;
    negative += best && *best < 0 ? 1 : 0;
    if (!problem.refused.empty()) {  // and that changes something
      Problem all = problem;
      all.refused.clear();
      refused += testing::brute_force_cost(all) != best ? 1 : 0;
    }
    integer +=
        std::any_of(problem.state.variables.begin(), problem.state.variables.end(),
                    [](const Variable& variable) { return variable.twos_complement && variable.scale != 0; })
            ? 1
            : 0;
  }
  // The problems are of all kinds, or this test shows less than it says.
  for (const int kind : {infeasible, free_initial, auxiliary, no_network, no_action, integer, negative, known,
                         decimals, refused, discounted}) {
    EXPECT_GE(kind, static_cast<int>(random_problem_count() / 50));
  }
}

TEST_P(Engines, FirstFindsAPlanIffThereIsOne) {
  for (std::uint64_t seed = 1; seed <= random_problem_count() / 4; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = random_problem(seed);
    const auto best = testing::brute_force_cost(problem);
    EngineRequest any_plan;
    any_plan.first = true;
    const Outcome outcome = run(problem, any_plan);
    ASSERT_EQ(outcome.status, best ? Status::feasible : Status::infeasible);
    if (best) {
      ASSERT_GE(outcome.cost, best);
      ASSERT_LE(outcome.lower_bound, best);
    }
  }
}

TEST_P(Engines, ReportImprovingPlansAndBounds) {
  Problem problem = read_problem(corridor);
  std::vector<std::int64_t> costs;
  std::optional<std::int64_t> lower;
  EngineRequest request;
  request.callbacks.improvement = [&](const Improvement& improvement) {
    const checking::PlanCheck check = checking::check_plan(problem, improvement.plan());
    EXPECT_TRUE(check.accepted) << check.violation;
    EXPECT_EQ(check.cost, improvement.cost);
    costs.push_back(improvement.cost);
  };
  request.callbacks.bound = [&](const BoundPoint& point) {
    EXPECT_TRUE(!lower || point.lower >= lower);
    lower = point.lower;
  };
  const Outcome outcome = run(problem, request);
  ASSERT_FALSE(costs.empty());
  EXPECT_TRUE(std::is_sorted(costs.rbegin(), costs.rend()));
  EXPECT_EQ(costs.back(), 5);
  EXPECT_EQ(lower, 5);
}

TEST_P(Engines, TheSameSeedGivesTheSamePlan) {
  for (const std::uint64_t seed : {0, 1, 7}) {
    EngineRequest request;
    request.limits.seed = seed;
    const Problem problem = read_problem(corridor);
    const Outcome first = run(problem, request), second = run(problem, request);
    EXPECT_EQ(first.plan, second.plan);
    EXPECT_EQ(first.cost, 5);
  }
}

TEST_P(Engines, AnInterruptEndsAtOnce) {
  const std::atomic<bool> interrupt = true;
  EngineRequest request;
  request.limits.interrupt = &interrupt;
  const Outcome outcome = run(read_problem(corridor), request);
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_EQ(outcome.stopped, StopReason::interrupted);
}

// What the definition allows at its edges.

TEST_P(Engines, StateConstraintsHoldBeforeEveryStepButNotInTheLastState) {
  Problem problem = text_problem(R"(horizon = 1
constraints = ["s == 0"]
goal = ["s == 1"]
transitions = ["s' == 1"]
[state]
s = "bool"
[initial]
s = false)");
  expect_optimal(problem, 0);
  set_horizon(problem, 2);
  EXPECT_EQ(run(problem).status, Status::infeasible);
}

TEST_P(Engines, AGoalThatIsTrueAlreadyStillTakesAllSteps) {
  expect_optimal(text_problem(R"(horizon = 3
minimize = "2 go + s'"
goal = ["s == 1"]
transitions = ["s' + go == 1"]
[state]
s = "bool"
[action]
go = "bool"
[initial]
s = true)"),
                 3);  // s' and go exclude each other: 2, 2 and 1 are worse than 1, 1, 1
}

TEST_P(Engines, AConstantObjectiveAndNoObjective) {
  const std::string rest = R"(horizon = 4
transitions = ["s' == s"]
[state]
s = "bool")";
  expect_optimal(text_problem("minimize = \"2.5\"\n" + rest), 100);
  expect_optimal(text_problem("maximize = \"2.5\"\n" + rest), -100);
  expect_optimal(text_problem(rest), 0);
}

// Waiting is free, but what is done later weighs less: the light is best lit at the last step, and a lamp
// that pays is lit at once.
TEST_P(Engines, ADiscountDecidesWhen) {
  const std::string rest = R"(transitions = ["x' == x + a - both", "2 both <= x + a", "both >= x + a - 1"]
[action]
a = "bool"
[state]
x = "bool"
[auxiliary]
both = "bool"
[initial]
x = 0
)";
  // 0.9^3 of 10
  expect_optimal(
      text_problem("horizon = 4\nminimize = \"10 a\"\ndiscount = \"0.9\"\ngoal = [\"x == 1\"]\n" + rest),
      7290);
  // 1 + 0.9 + 0.81 + 0.729 - 0.5
  expect_optimal(text_problem("horizon = 4\nmaximize = \"x' - 0.5 a\"\ndiscount = \"0.9\"\n" + rest), -29390);
  // 100 + 90 + 81 + 73 - 50, with weights of two decimals
  expect_optimal(
      text_problem("horizon = 4\nmaximize = \"x' - 0.5 a\"\ndiscount = \"0.9\"\ndiscount-digits = 2\n" +
                   rest),
      -2940);
}

TEST_P(Engines, TransitionsMayHaveNoNextState) {
  const std::string rest = R"(horizon = 2
minimize = "a - 2 b"
transitions = ["s' == a", "b <= a", "s + b <= 1", "a + b + r >= 1"]
[action]
a = "bool"
b = "bool"
[auxiliary]
r = "bool"
[state]
s = "bool"
[initial]
s = false)";
  expect_optimal(text_problem(rest), -1);
}

TEST_P(Engines, ImpossibleActionsAndInitialStates) {
  EXPECT_EQ(run(text_problem(R"(horizon = 1
constraints = ["a >= 1", "a <= 0"]
transitions = ["s' == s"]
[state]
s = "bool"
[action]
a = "bool")"))
                .status,
            Status::infeasible);
  EXPECT_EQ(run(text_problem(R"(horizon = 1
constraints = ["s + r == 1"]
transitions = ["s' == s", "r' == r"]
[state]
s = "bool"
r = "bool"
[initial]
s = true
r = true)"))
                .status,
            Status::infeasible);
  EXPECT_EQ(run(text_problem(R"(horizon = 1
constraints = ["0 >= 1"]
transitions = ["s' == s"]
[state]
s = "bool")"))
                .status,
            Status::infeasible);
}

TEST_P(Engines, CostsNearTheLimitDoNotOverflow) {
  const std::string problem = R"(horizon = 2
transitions = ["s' == a"]
minimize = "OBJECTIVE"
[state]
s = "bool"
[action]
a = "bool")";
  const auto with = [&](const std::string& objective) {
    std::string text = problem;
    return text_problem(text.replace(text.find("OBJECTIVE"), 9, objective));
  };
  expect_optimal(with("500000000000000000 a - 500000000000000000 s'"), 0);
  expect_optimal(with("-1000000000000000000 a"), -2000000000000000000);
  expect_optimal(with("1000000000000000000 - 100000000000000000 s'"), 1800000000000000000);
}

TEST_P(Engines, MoreThanSixtyFourBitsOfEverything) {
  // A ring of 70 cells with 70 actions, each of which is allowed in one cell only and moves one on.
  std::string text = "horizon = 3\nminimize = \"a69 + 2 a0\"\nconstraints = [\"";
  for (int i = 0; i < 70; ++i) text += fmt::format("{}a{}", i == 0 ? "" : " + ", i);
  text += " <= 1\"";
  for (int i = 0; i < 70; ++i) text += fmt::format(", \"a{} <= s{}\"", i, i);
  text += "]\ngoal = [\"s1 == 1\"]\ntransitions = [";
  for (int i = 0; i < 70; ++i)
    text += fmt::format("{}\"s{}' == s{} - a{} + a{}\"", i == 0 ? "" : ", ", i, i, i, (i + 69) % 70);
  text += "]\n[action]\n";
  for (int i = 0; i < 70; ++i) text += fmt::format("a{} = \"bool\"\n", i);
  text += "[state]\n";
  for (int i = 0; i < 70; ++i) text += fmt::format("s{} = \"bool\"\n", i);
  text += "[initial]\n";
  for (int i = 0; i < 70; ++i) text += fmt::format("s{} = {}\n", i, i == 69);
  expect_optimal(text_problem(text), 3);
}

// The guard around engines.

Outcome wrong_plan(const Problem& problem, const EngineRequest& request) {
  Outcome outcome = find_engine("search")->run(problem, request);
  outcome.plan->steps[0].action[0] ^= 1;
  return outcome;
}

Outcome wrong_cost(const Problem& problem, const EngineRequest& request) {
  Outcome outcome = find_engine("search")->run(problem, request);
  --*outcome.cost;
  outcome.plan->cost.reset();
  return outcome;
}

Outcome wrong_bound(const Problem& problem, const EngineRequest& request) {
  Outcome outcome = find_engine("search")->run(problem, request);
  ++*outcome.lower_bound;
  return outcome;
}

TEST(CheckedRun, RefusesWrongPlansCostsAndBounds) {
  const Problem problem = read_problem(corridor);
  for (const auto run : {wrong_plan, wrong_cost, wrong_bound}) {
    EXPECT_THROW(run_checked({"wrong", "nothing", "", run}, problem, {}), RefusedPlan);
  }
}

TEST(EngineTable, NamesAreFoundAndDifferent) {
  EXPECT_EQ(all_engines().front().name, "auto");
  for (const Engine& engine : all_engines()) EXPECT_EQ(find_engine(engine.name), &engine);
  EXPECT_EQ(find_engine("none"), nullptr);
}

}  // namespace
}  // namespace bnnplan::engines
