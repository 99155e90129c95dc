// Repair: against brute force with everything refused from the start, and what limits leave of it.
#include "bnnplan/engines/repair.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/random_problem.hpp"

namespace bnnplan::engines {
namespace {

// Knows prefixes that the problem does not say, and tells the shortest that a plan begins with.
PlanJudge judge_of(const std::vector<RefusedPrefix>& hidden) {
  return [hidden](const Plan& plan) -> std::optional<RefusedPrefix> {
    std::optional<RefusedPrefix> found;
    for (const RefusedPrefix& prefix : hidden) {
      if (prefix.actions.size() > plan.steps.size()) continue;
      bool same = true;
      for (std::size_t i = 0; i < plan.initial.size(); ++i)
        same &= prefix.initial[i] == unknown_bit || prefix.initial[i] == plan.initial[i];
      for (std::size_t t = 0; t < prefix.actions.size(); ++t)
        same &= prefix.actions[t] == plan.steps[t].action;
      if (same && (!found || prefix.actions.size() < found->actions.size())) found = prefix;
    }
    return found;
  };
}

const Engine& engine() { return *find_engine("search"); }

TEST(Repair, AgreesWithBruteForce) {
  int repaired = 0, refuted = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE(seed);
    Problem truth = testing::random_problem(seed);
    Problem problem = truth;
    problem.refused.clear();
    truth.refused.clear();
    testing::refuse_prefixes(truth, seed);
    const auto best = testing::brute_force_cost(truth);
    const PlanJudge judge = judge_of(truth.refused);
    const Outcome outcome = run_repaired(engine(), problem, {}, judge);
    ASSERT_EQ(outcome.status, best ? Status::optimal : Status::infeasible) << problem_text(truth);
    ASSERT_EQ(outcome.cost, best);
    ASSERT_EQ(outcome.lower_bound, best);
    if (best) {
      EXPECT_FALSE(judge(*outcome.plan));
      EXPECT_EQ(outcome.bounds.back().upper, best);
    }
    EXPECT_LE(problem.refused.size(), truth.refused.size()) << "each is refused once";
    repaired += best && !problem.refused.empty() ? 1 : 0;
    refuted += !best && !problem.refused.empty() ? 1 : 0;

    Problem any = problem;
    any.refused.clear();
    EngineRequest any_plan;
    any_plan.first = true;
    const Outcome first = run_repaired(engine(), any, any_plan, judge);
    ASSERT_EQ(first.status, best ? Status::feasible : Status::infeasible);
    if (best) {
      EXPECT_FALSE(judge(*first.plan));
      EXPECT_GE(first.cost, best);
      EXPECT_LE(first.lower_bound, best);
    }
  }
  EXPECT_GT(repaired, 40);
  EXPECT_GT(refuted, 10);
}

const std::string counter = R"(
horizon = 3
minimize = "a + 2 b"
goal = ["n >= 2"]
constraints = ["a + b <= 1"]
transitions = ["n' == n + a + b"]
[action]
a = "bool"
b = "bool"
[state]
n = { bits = 2 }
[initial]
n = 0
)";

Problem counter_problem() { return parse_problem(counter, "counter.toml", "."); }

std::int64_t number_of(const Outcome& outcome, std::string_view name) {
  for (const auto& [key, value] : outcome.statistics) {
    if (key == name) return std::get<std::int64_t>(value);
  }
  return -1;
}

TEST(Repair, ShortestPrefixesAndTheirNumber) {
  Problem problem = counter_problem();
  const auto none = [](const Plan&) { return std::optional<RefusedPrefix>(); };
  Outcome outcome = run_repaired(engine(), problem, {}, none);
  EXPECT_EQ(outcome.cost, 2);
  EXPECT_EQ(number_of(outcome, "refused_prefixes"), 0);
  EXPECT_EQ(number_of(outcome, "runs"), 1);
  // Not with that first action.
  const BitValues first = outcome.plan->steps[0].action;
  const auto judge = [&](const Plan& plan) -> std::optional<RefusedPrefix> {
    if (plan.steps[0].action != first) return std::nullopt;
    return RefusedPrefix{BitValues(2, unknown_bit), {first}};
  };
  outcome = run_repaired(engine(), problem, {}, judge);
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.cost, 2) << "a twice, at other steps";
  EXPECT_NE(outcome.plan->steps[0].action, first);
  EXPECT_EQ(problem.refused.size(), 1u);
  EXPECT_EQ(number_of(outcome, "runs"), 2);
  // A prefix without actions refuses the initial state.
  problem = counter_problem();
  outcome = run_repaired(engine(), problem, {}, [](const Plan&) {
    return std::optional(RefusedPrefix{BitValues(2, unknown_bit), {}});
  });
  EXPECT_EQ(outcome.status, Status::infeasible);
  EXPECT_EQ(number_of(outcome, "runs"), 2);
  EXPECT_FALSE(outcome.lower_bound);
}

// Refuses whatever it sees, whole.
std::optional<Objection> refuse_all(const Plan& plan) {
  RefusedPrefix prefix{BitValues(plan.initial.size(), unknown_bit), {}};
  for (const PlanStep& step : plan.steps) prefix.actions.push_back(step.action);
  return Objection(std::move(prefix));
}

TEST(Repair, RefusingEverythingEnds) {
  Problem problem = counter_problem();
  const Outcome outcome = run_repaired(engine(), problem, {}, refuse_all);
  EXPECT_EQ(outcome.status, Status::infeasible);
  // Two or three of three steps count, each by a or b: 3 * 4 + 8.
  EXPECT_EQ(number_of(outcome, "refused_prefixes"), 20);
}

TEST(Repair, LimitsAreForAllRuns) {
  Problem problem = testing::shift_register_problem(10, 30);
  problem.goal.clear();  // 2^30 plans
  EngineRequest request;
  request.limits.seconds = 0.2;
  const Outcome outcome = run_repaired(engine(), problem, request, refuse_all);
  EXPECT_EQ(outcome.status, Status::unknown);
  EXPECT_EQ(outcome.stopped, StopReason::time);
  EXPECT_FALSE(outcome.plan);
  ASSERT_TRUE(outcome.lower_bound) << "the cheapest plans were refused, which says something of the others";
  EXPECT_GE(*outcome.lower_bound, 0);
  EXPECT_GT(number_of(outcome, "runs"), 1);

  std::atomic<bool> interrupt = true;
  request.limits.interrupt = &interrupt;
  problem.refused.clear();
  EXPECT_EQ(run_repaired(engine(), problem, request, refuse_all).stopped, StopReason::interrupted);
}

// A judge that knows better what a does: it leads elsewhere than the problem says, wherever it is taken.
TEST(Repair, AWrongStepIsExcludedWhereverItIsTaken) {
  const auto judge = [](const Plan& plan) -> std::optional<Objection> {
    RefusedPrefix prefix{BitValues(2, unknown_bit), {}};
    for (const PlanStep& step : plan.steps) {
      prefix.actions.push_back(step.action);
      if (step.action[0] == 1) return Objection(std::move(prefix), true);
    }
    return std::nullopt;
  };
  Problem problem = counter_problem();
  const Outcome outcome = run_repaired(engine(), problem, {}, judge);
  EXPECT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.cost, 4) << "b twice, as every a is wrong";
  // a from 0 and from 1: as prefixes that would be a, -a, --a, ba, -ba, b-a, ...
  EXPECT_EQ(number_of(outcome, "refused_steps"), 2);
  EXPECT_EQ(number_of(outcome, "refused_prefixes"), 0);
  EXPECT_EQ(number_of(outcome, "runs"), 3);
  // What was added can be written, read, and means the same.
  const Problem again = parse_problem(problem_text(problem), "again.toml", ".");
  ASSERT_EQ(again.constraints.size(), problem.constraints.size());
  EXPECT_EQ(engine().run(again, {}).cost, 4);
}

// Where the model may choose, one wrong choice does not make the action wrong: nothing is proved any more.
TEST(Repair, AWrongChoiceProvesNothing) {
  Problem problem = parse_problem(R"(
horizon = 1
minimize = "n'"
transitions = ["n' + m' == 1"]
[action]
a = "bool"
[state]
n = "bool"
m = "bool"
[initial]
n = false
m = false
)",
                                  "choice.toml", ".");
  const auto judge = [](const Plan& plan) -> std::optional<Objection> {
    if (plan.steps[0].state[0] == 1) return std::nullopt;
    return Objection(RefusedPrefix{BitValues(2, unknown_bit), {plan.steps[0].action}}, true);
  };
  // One that tells nothing on its way sees only what it thinks is best.
  const Engine silent{"silent", "", "", [](const Problem& asked, const EngineRequest& request) {
                        EngineRequest quiet = request;
                        quiet.callbacks = {};
                        return find_engine("search")->run(asked, quiet);
                      }};
  Problem again = problem;
  const Outcome none = run_repaired(silent, again, {}, judge);
  EXPECT_EQ(none.status, Status::unknown) << "n' = 1 is a plan, whatever a is";
  EXPECT_EQ(none.lower_bound, 0) << "of the first run";
  EXPECT_EQ(number_of(none, "refused_prefixes"), 2);
  EXPECT_EQ(number_of(none, "refused_steps"), 0);
  // One that tells may have come by the right one, which is then known to be a plan, and no more.
  const Outcome found = run_repaired(engine(), problem, {}, judge);
  EXPECT_EQ(found.status, found.plan ? Status::feasible : Status::unknown);
  EXPECT_EQ(found.cost, found.plan ? std::optional<std::int64_t>(1) : std::nullopt);
  EXPECT_EQ(found.lower_bound, 0);
}

TEST(Repair, AValidPlanFoundOnTheWayIsKept) {
  // An engine that tells a dear plan first, then a cheap one that is refused, and then reaches a limit.
  static const Plan dear =
      checking::check_plan(counter_problem(),
                           [] {
                             Plan plan{BitValues(2, unknown_bit), {}, {}};
                             for (const auto& action : {BitValues{0, 1}, {0, 1}, {0, 0}})
                               plan.steps.push_back({action, {}, BitValues(2, unknown_bit)});
                             return plan;
                           }())
          .plan;
  static int calls;
  calls = 0;
  const Engine telling{"telling", "", "", [](const Problem& problem, const EngineRequest& request) {
                         ++calls;
                         request.callbacks.improvement({0, 4, [] { return dear; }});
                         Outcome outcome = find_engine("search")->run(problem, request);
                         if (calls == 2) {
                           outcome.status = Status::feasible;
                           outcome.stopped = StopReason::memory;
                         }
                         return outcome;
                       }};
  const auto cheap = [](const Plan& plan) {
    return plan == dear ? std::optional<Objection>() : refuse_all(plan);
  };
  Problem problem = counter_problem();
  EngineRequest request;
  std::vector<std::int64_t> told;
  request.callbacks.improvement = [&](const Improvement& improvement) { told.push_back(improvement.cost); };
  const Outcome outcome = run_repaired(telling, problem, request, cheap);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(outcome.status, Status::feasible);
  EXPECT_EQ(outcome.stopped, StopReason::memory);
  EXPECT_EQ(outcome.cost, 4);
  EXPECT_EQ(outcome.lower_bound, 2);
  EXPECT_EQ(told, std::vector<std::int64_t>{4}) << "only what is valid is told";
}

}  // namespace
}  // namespace bnnplan::engines
