// The search by ranks, which are threads here; tests/mpi has the program.
#include "bnnplan/ranks/rank_search.hpp"

#include <algorithm>
#include <mutex>
#include <random>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/suite/suite.hpp"
#include "support/published.hpp"
#include "support/random_problem.hpp"
#include "support/sanitized.hpp"
#include "thread_ranks.hpp"

namespace bnnplan::ranks {
namespace {

// What all ranks say; they have to say the same.
engines::Outcome by_ranks(int size, const Problem& problem, const engines::EngineRequest& request = {},
                          const RankLimits& limits = {}, bool two_at_once = false) {
  std::mutex mutex;
  std::vector<engines::Outcome> outcomes;
  testing::run_as_threads(size, [&](Ranks& ranks) {
    RankSearch search(ranks, problem, request, limits);
    if (two_at_once) search.set_last_two(0, 1);
    engines::Outcome outcome = engines::checked_outcome("search by ranks", problem, search.solve());
    const std::lock_guard lock(mutex);
    outcomes.push_back(std::move(outcome));
  });
  for (const engines::Outcome& other : outcomes) {
    EXPECT_EQ(other.status, outcomes[0].status);
    EXPECT_EQ(other.cost, outcomes[0].cost);
    EXPECT_EQ(other.lower_bound, outcomes[0].lower_bound);
    EXPECT_EQ(other.plan, outcomes[0].plan);
  }
  return outcomes[0];
}

std::int64_t statistic(const engines::Outcome& outcome, std::string_view name) {
  for (const auto& [known, value] : outcome.statistics) {
    if (known == name) return std::get<std::int64_t>(value);
  }
  ADD_FAILURE() << "no statistic " << name;
  return 0;
}

// Regardless of which rank owns a node, the same nodes are expanded, and the same plan is found.
void expect_same(const engines::Outcome& several, const engines::Outcome& one) {
  EXPECT_EQ(several.status, one.status);
  EXPECT_EQ(several.cost, one.cost);
  EXPECT_EQ(several.lower_bound, one.lower_bound);
  EXPECT_EQ(several.plan, one.plan);
  EXPECT_EQ(statistic(several, "nodes"), statistic(one, "nodes"));
  EXPECT_EQ(statistic(several, "evaluations"), statistic(one, "evaluations"));
}

TEST(RankSearch, RandomProblemsAreSolvedAlikeByAnyNumber) {
  int optimal = 0, infeasible = 0;
  for (std::uint64_t seed = 1; seed <= testing::tries(300u); ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem =
        testing::random_problem(seed, {.most_state_bits = 6, .most_action_bits = 4, .most_steps = 5});
    const engines::Outcome expected = engines::run_checked(*engines::find_engine("search"), problem, {});
    const engines::Outcome one = by_ranks(1, problem);
    ASSERT_EQ(one.status, expected.status) << problem_text(problem);
    ASSERT_EQ(one.cost, expected.cost) << problem_text(problem);
    for (const int size : {2, 4}) {
      expect_same(by_ranks(size, problem), one);
      ASSERT_FALSE(HasFailure());
    }
    optimal += one.status == Status::optimal ? 1 : 0;
    infeasible += one.status == Status::infeasible ? 1 : 0;
  }
  EXPECT_GE(optimal, testing::tries(100) - 2);
  EXPECT_GE(infeasible, testing::tries(50) - 2);
}

// All 45 published problems.
TEST(RankSearch, PublishedProblemsForAnyNumber) {
  BNNPLAN_NEEDS_PUBLISHED();
  for (const suite::SuiteProblem& of : suite::suite_problems(suite::SuiteSource::published)) {
    SCOPED_TRACE(of.name());
    Problem problem = read_fd_sat_plan(testing::published_folder(), of.family, of.instance);
    set_horizon(problem, of.horizon);
    const engines::Outcome expected = engines::run_checked(*engines::find_engine("search"), problem, {});
    const engines::Outcome one = by_ranks(1, problem);
    ASSERT_EQ(one.status, expected.status);
    ASSERT_EQ(one.cost, expected.cost);
    for (const int size : {2, 4}) {
      expect_same(by_ranks(size, problem), one);
      ASSERT_FALSE(HasFailure());
    }
  }
}

// The last two steps of every node at once, from the first one on. Ways that cost the same are many: of these
// all ranks have to choose the same one.
TEST(RankSearch, TwoLastStepsAreLookedAtAlikeByAnyNumber) {
  int optimal = 0, at_once = 0;
  for (std::uint64_t seed = 1; seed <= testing::tries(60u); ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = testing::random_network_problem(seed, {.state_bits = 9,
                                                             .action_bits = seed % 4 == 0 ? 8 : 4,
                                                             .goal_bits = static_cast<int>(seed % 4) + 2,
                                                             .horizon = static_cast<int>(seed % 4) + 2,
                                                             .hidden = {16, 16}});
    std::mt19937_64 random(seed);
    if (seed % 3 == 0) {  // states cost something as well
      for (std::uint32_t i = 0; i < problem.state.bit_count(); ++i)
        problem.objective.terms.push_back({static_cast<std::int64_t>(random() % 4), {Place::next, i}});
    }
    if (seed % 4 == 0) {  // classes of actions have several costs
      for (Term& term : problem.objective.terms)
        term.coefficient += 100 + static_cast<std::int64_t>(random() % 50);
    }
    const engines::Outcome expected = engines::run_checked(*engines::find_engine("search"), problem, {});
    const engines::Outcome one = by_ranks(1, problem, {}, {}, true);
    ASSERT_EQ(one.status, expected.status);
    ASSERT_EQ(one.cost, expected.cost);
    for (const int size : {2, 4}) {
      expect_same(by_ranks(size, problem, {}, {}, true), one);
      ASSERT_FALSE(HasFailure());
    }
    optimal += one.status == Status::optimal ? 1 : 0;
    at_once += statistic(one, "evaluations_of_two_last_steps") > 0 ? 1 : 0;
  }
  EXPECT_GE(optimal, testing::tries(25) - 1);
  EXPECT_GE(at_once, testing::tries(40) - 1);
}

// Costs that are all different: buckets of keys grow wide, or there would be a meeting of all ranks for each
// of some thousand nodes.
TEST(RankSearch, ManyDifferentCosts) {
  Problem problem = testing::shift_register_problem(11, 12);
  std::mt19937_64 random(3);
  for (std::uint32_t i = 0; i < problem.state.bit_count(); ++i)
    problem.objective.terms.push_back({1000 + static_cast<std::int64_t>(random() % 9000), {Place::next, i}});
  const engines::Outcome expected = engines::run_checked(*engines::find_engine("search"), problem, {});
  ASSERT_EQ(expected.status, Status::optimal);
  const engines::Outcome one = by_ranks(1, problem), three = by_ranks(3, problem);
  EXPECT_EQ(one.cost, expected.cost);
  EXPECT_EQ(three.plan, one.plan);
  EXPECT_EQ(statistic(three, "evaluations"), statistic(one, "evaluations"));
  EXPECT_GT(statistic(one, "nodes"), 1000);
  EXPECT_LT(statistic(one, "phases"), statistic(one, "nodes") / 8);
}

TEST(RankSearch, ExchangesWhatBelongsToOthers) {
  const Problem problem =
      testing::random_network_problem(3, {.state_bits = 18, .action_bits = 5, .goal_bits = 11, .horizon = 6});
  const engines::Outcome expected = engines::run_checked(*engines::find_engine("search"), problem, {});
  const engines::Outcome one = by_ranks(1, problem), three = by_ranks(3, problem);
  EXPECT_EQ(one.cost, expected.cost);
  EXPECT_EQ(three.plan, one.plan);
  EXPECT_EQ(statistic(one, "records_sent"), 0);
  EXPECT_GT(statistic(three, "records_sent"), statistic(three, "nodes") / 2);
  EXPECT_GT(statistic(three, "nodes"), 1000);
  engines::EngineRequest request;
  request.limits.threads = 2;
  EXPECT_EQ(by_ranks(2, problem, request).plan, one.plan);
}

TEST(RankSearch, StatesOfSeveralWords) {
  const Problem problem = testing::random_network_problem(
      5, {.state_bits = 64, .action_bits = 4, .goal_bits = 6, .horizon = 5, .hidden = {32, 32}});
  const engines::Outcome one = by_ranks(1, problem);
  EXPECT_EQ(one.cost, engines::run_checked(*engines::find_engine("search"), problem, {}).cost);
  EXPECT_EQ(by_ranks(4, problem).plan, one.plan);
}

TEST(RankSearch, CostsBeyond32Bits) {
  Problem problem = testing::random_network_problem(
      3, {.state_bits = 12, .action_bits = 4, .goal_bits = 6, .horizon = 4, .hidden = {16, 16}});
  for (Term& term : problem.objective.terms) term.coefficient *= std::int64_t{1} << 33;
  const engines::Outcome one = by_ranks(1, problem);
  EXPECT_EQ(one.cost, engines::run_checked(*engines::find_engine("search"), problem, {}).cost);
  EXPECT_EQ(by_ranks(2, problem).plan, one.plan);
}

TEST(RankSearch, FourHaveRoomForWhatOneHasNot) {
  if (testing::sanitized()) GTEST_SKIP() << "a sanitizer needs memory of its own";
  const Problem problem = testing::shift_register_problem(18, 19);
  engines::EngineRequest request;
  const engines::Outcome free = by_ranks(1, problem, request);
  ASSERT_EQ(free.status, Status::optimal);
  // Ranks that are threads share one process, and its memory at the start.
  request.limits.memory_bytes =
      resident_memory() + static_cast<std::size_t>(statistic(free, "bytes_of_the_largest_rank")) * 6 / 10;
  const engines::Outcome one = by_ranks(1, problem, request);
  EXPECT_EQ(one.status, Status::unknown);
  EXPECT_EQ(one.stopped, StopReason::memory);
  EXPECT_LE(one.lower_bound, free.cost);
  const engines::Outcome four = by_ranks(4, problem, request);
  EXPECT_EQ(four.status, Status::optimal);
  EXPECT_EQ(four.plan, free.plan);
}

TEST(RankSearch, AllTogetherKeepALimitOfMemory) {
  const Problem problem = testing::shift_register_problem(16, 17);
  RankLimits limits;
  limits.memory_of_all = 1;
  const engines::Outcome none = by_ranks(2, problem, {}, limits);
  EXPECT_EQ(none.status, Status::unknown);
  EXPECT_EQ(none.stopped, StopReason::memory);
  limits.memory_of_all = std::size_t{1} << 40;
  EXPECT_EQ(by_ranks(2, problem, {}, limits).status, Status::optimal);
}

TEST(RankSearch, KeepsLimits) {
  const Problem endless = testing::shift_register_problem(60, 100);
  engines::EngineRequest request;
  request.limits.seconds = 0.2;
  const engines::Outcome late = by_ranks(2, endless, request);
  EXPECT_EQ(late.status, Status::unknown);
  EXPECT_EQ(late.stopped, StopReason::time);
  EXPECT_LT(late.seconds, 5);
  const std::atomic<bool> interrupt = true;
  request.limits.interrupt = &interrupt;
  EXPECT_EQ(by_ranks(2, endless, request).stopped, StopReason::interrupted);
}

}  // namespace
}  // namespace bnnplan::ranks
