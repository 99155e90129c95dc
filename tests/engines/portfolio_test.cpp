// The portfolio: what engines share, what it does when one gives up, and what it says about who did what.
#include "bnnplan/engines/portfolio.hpp"

#include <atomic>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/check/problem_proof.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/maxsat_engine.hpp"
#include "bnnplan/engines/neuron/neuron_engine.hpp"
#include "bnnplan/engines/search/search_engine.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/frontier.hpp"
#include "support/random_problem.hpp"
#include "support/shipped.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::engines {
namespace {

using testing::corridor;

const Statistic* statistic(const Outcome& outcome, std::string_view name) {
  for (const auto& [key, value] : outcome.statistics) {
    if (key == name) return &value;
  }
  return nullptr;
}

TEST(Portfolio, SaysWhoProvedWhat) {
  for (const unsigned threads : {1u, 2u}) {
    EngineRequest request;
    request.limits.threads = threads;
    const Outcome outcome = run_portfolio(read_problem(corridor), request);
    EXPECT_EQ(outcome.status, Status::optimal);
    EXPECT_EQ(outcome.engine, "search");
    ASSERT_TRUE(statistic(outcome, "plan_by") && statistic(outcome, "bound_by"));
    EXPECT_EQ(std::get<std::string>(*statistic(outcome, "plan_by")), "search");
    EXPECT_EQ(std::get<std::string>(*statistic(outcome, "bound_by")), "search");
  }
}

// 24 switches, each step any set of them: 2^24 successors of every state, which search does not survive, and
// a handful of clauses. Each has a row with its neighbour, which changes nothing, so that search sees no
// parts.
Problem many_actions() {
  std::string text = "horizon = 4\nminimize = \"";
  constexpr int bits = 24;
  for (int i = 0; i < bits; ++i) text += (i == 0 ? "a" : " + a") + std::to_string(i);
  text += "\"\ngoal = [";
  for (int i = 0; i < bits / 2; ++i) text += (i == 0 ? "\"s" : ", \"s") + std::to_string(i) + " == 1\"";
  text += "]\ntransitions = [";
  for (int i = 0; i < bits; ++i) {
    const std::string n = std::to_string(i);
    text += (i == 0 ? "\"s" : ", \"s") + n + "' >= s" + n + "\", \"s" + n + "' >= a" + n + "\", \"s" + n +
            "' <= s" + n + " + a" + n + "\", \"s" + n + "' >= s" + n + " + s" +
            std::to_string((i + 1) % bits) + " - 1\"";
  }
  text += "]\n[state]\n";
  for (int i = 0; i < bits; ++i) text += "s" + std::to_string(i) + " = \"bool\"\n";
  text += "[action]\n";
  for (int i = 0; i < bits; ++i) text += "a" + std::to_string(i) + " = \"bool\"\n";
  text += "[initial]\n";
  for (int i = 0; i < bits; ++i) text += "s" + std::to_string(i) + " = false\n";
  return parse_problem(text, "switches.toml", ".");
}

TEST(Portfolio, AnotherEngineGoesOnWhereSearchGivesUp) {
  const Problem problem = many_actions();
  for (const unsigned threads : {1u, 2u}) {
    EngineRequest request;
    request.limits.threads = threads;
    request.limits.seconds = threads == 1 ? 6 : 60;
    request.limits.memory_bytes = resident_memory() + (std::size_t{300} << 20);
    const Outcome outcome = run_checked(*find_engine("auto"), problem, request);
    EXPECT_EQ(outcome.status, Status::optimal) << threads;
    EXPECT_EQ(outcome.cost, 12);
    EXPECT_EQ(outcome.stopped, StopReason::none);
    ASSERT_TRUE(statistic(outcome, "bound_by"));
    EXPECT_NE(std::get<std::string>(*statistic(outcome, "bound_by")), "search");
  }
}

// Thirty computers: the estimates of search have the optimum at once, and the plan is found by others.
TEST(Portfolio, OthersJoinWhereSearchHasNoPlan) {
  BNNPLAN_NEEDS_FRONTIER();
  for (const unsigned threads : {1u, 2u}) {
    EngineRequest request;
    request.limits.threads = threads;
    const Problem problem = read_problem(testing::frontier_folder() / "sys_30.toml");
    const Outcome outcome = run_checked(*find_engine("auto"), problem, request);
    EXPECT_EQ(outcome.status, Status::optimal);
    EXPECT_EQ(outcome.cost, 30);
    EXPECT_NE(std::get<std::string>(*statistic(outcome, "plan_by")), "search");
  }
}

TEST(Portfolio, LimitsAndInterruptsEndAllEngines) {
  // Takes search seconds and neuron longer; progress is told every tenth of one.
  const Problem hard = read_problem(BNNPLAN_SOURCE_DIR "/models/sysadmin_10.toml");
  std::atomic<bool> interrupt = false;
  EngineRequest request;
  request.limits.threads = 2;
  request.limits.interrupt = &interrupt;
  bool told = false;
  request.callbacks.progress = [&](const Progress&) {
    told = true;
    interrupt = true;
  };
  const Outcome outcome = run_portfolio(hard, request);
  EXPECT_TRUE(told);
  EXPECT_NE(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.stopped, StopReason::interrupted);
}

TEST(SharedBounds, AnEngineStopsAtThePlanOfAnother) {
  const Problem problem = read_problem(corridor);
  SharedBounds shared;
  shared.upper = 5;  // another engine has an optimal plan
  EngineRequest request;
  request.shared = &shared;
  const Outcome outcome = run_search(problem, request);
  EXPECT_NE(outcome.status, Status::infeasible);
  EXPECT_EQ(outcome.lower_bound, 5);
  EXPECT_EQ(shared.lower, 5);
}

TEST(SharedBounds, EnginesPublishWhatTheyFind) {
  const Problem problem = read_problem(corridor);
  for (const auto run : {run_search, run_neuron, run_maxsat_engine}) {
    SharedBounds shared;
    EngineRequest request;
    request.shared = &shared;
    EXPECT_EQ(run(problem, request).status, Status::optimal);
    EXPECT_EQ(shared.lower, 5);
    EXPECT_EQ(shared.upper, 5);
  }
}

// With a plan of another engine that is as good as any, or better than nothing, each engine still proves the
// optimum.
TEST(SharedBounds, NeverChangeTheOptimum) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Problem problem = testing::random_problem(seed);
    const Outcome alone = run_search(problem, {});
    for (const auto run : {run_search, run_neuron, run_maxsat_engine}) {
      for (const std::int64_t slack : {0, 1, 5}) {
        SharedBounds shared;
        if (alone.cost) shared.upper = *alone.cost + slack;
        EngineRequest request;
        request.shared = &shared;
        const Outcome outcome = run(problem, request);
        SCOPED_TRACE(fmt::format("{} {} {}", seed, outcome.engine, slack));
        if (!alone.cost) {
          ASSERT_EQ(outcome.status, Status::infeasible);
          continue;
        }
        ASSERT_EQ(outcome.lower_bound, alone.cost);
        ASSERT_EQ(shared.lower, *alone.cost);
        ASSERT_NE(outcome.status, Status::infeasible);
        if (slack > 0) {
          ASSERT_EQ(outcome.cost, alone.cost);
          ASSERT_EQ(outcome.status, Status::optimal);
        }
      }
    }
  }
}

// In a proof a plan of another engine is a solution like any other: one that is optimal, one that is not, and
// none.
TEST(SharedPlan, OfAnotherEngineIsASolutionOfTheProof) {
  const testing::TemporaryFolder folder;
  int taken = 0, improved = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Problem problem = testing::random_problem(seed);
    problem.refused.clear();
    const Outcome best = run_search(problem, {});
    EngineRequest any;
    any.first = true;
    const Outcome found = run_search(problem, any);
    for (const Outcome* other : {&best, &found}) {
      for (const auto run : {run_search, run_neuron}) {
        SharedPlan shared;
        if (other->plan) shared.offer(*other->cost, [&] { return *other->plan; });
        EngineRequest request;
        request.shared_plan = &shared;
        request.proof = (folder / "proof.pbp").string();
        request.proof_version = seed % 2 == 0 ? ProofVersion::v1_2 : ProofVersion::v3_0;
        const Outcome outcome = run(problem, request);
        SCOPED_TRACE(fmt::format("{} {}", seed, outcome.engine));
        ASSERT_EQ(outcome.proof, request.proof);
        const checking::ProblemProof check = checking::check_proof(problem, read_text_file(request.proof));
        ASSERT_TRUE(check.check.accepted) << check.check.refusal;
        ASSERT_EQ(outcome.status, best.status);
        ASSERT_EQ(outcome.cost, best.cost);
        if (!best.plan || problem.objective.terms.empty()) continue;
        ASSERT_EQ(check.check.claim, checking::ProofCheck::Claim::optimal);
        ASSERT_EQ(check.cost, best.cost);
        (*other->cost == *best.cost ? taken : improved) += 1;
      }
    }
  }
  EXPECT_GT(taken, 100);
  EXPECT_GT(improved, 20);
}

TEST(SharedPlan, KeepsTheBest) {
  SharedPlan shared;
  EXPECT_FALSE(shared.best());
  EXPECT_EQ(shared.cost(), SharedBounds::no_upper);
  const auto plan = [](std::size_t steps) {
    return [steps] {
      Plan made;
      made.steps.resize(steps);
      return made;
    };
  };
  shared.offer(7, plan(1));
  shared.offer(9, plan(2));
  shared.offer(7, plan(3));
  EXPECT_EQ(shared.best()->second.steps.size(), 1u);
  shared.offer(-2, plan(4));
  EXPECT_EQ(shared.best()->first, -2);
  EXPECT_EQ(shared.best()->second.steps.size(), 4u);
}

}  // namespace
}  // namespace bnnplan::engines
