// Many horizons in one solver give what each gives on its own.
#include "bnnplan/engines/neuron/growing_horizon.hpp"

#include <gtest/gtest.h>

#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/growing_maxsat.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "support/brute_force.hpp"
#include "support/input_error_of.hpp"
#include "support/random_problem.hpp"
#include "support/shipped.hpp"

namespace bnnplan::engines {
namespace {

using testing::corridor;

// Both solvers that grow.
struct Grower {
  const char* name;
  std::vector<HorizonAnswer> (*solve)(const Problem& problem, std::int32_t first, std::int32_t last,
                                      bool until_plan, const Limits& limits);
  std::uint64_t problems;  // to compare with brute force
};
const Grower growers[] = {
    {"neuron",
     [](const Problem& problem, std::int32_t first, std::int32_t last, bool until_plan,
        const Limits& limits) { return solve_horizons(problem, first, last, until_plan, limits); },
     400},
    {"maxsat",
     [](const Problem& problem, std::int32_t first, std::int32_t last, bool until_plan,
        const Limits& limits) { return solve_horizons_by_maxsat(problem, first, last, until_plan, limits); },
     400}};

class GrowingHorizon : public ::testing::TestWithParam<Grower> {
 protected:
  static std::vector<HorizonAnswer> solve(const Problem& problem, std::int32_t first, std::int32_t last,
                                          bool until_plan, const Limits& limits) {
    return GetParam().solve(problem, first, last, until_plan, limits);
  }
};

INSTANTIATE_TEST_SUITE_P(By, GrowingHorizon, ::testing::ValuesIn(growers),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(GrowingHorizon, AgreesWithBruteForceOnEachHorizon) {
  int optimal = 0, infeasible = 0;
  for (std::uint64_t seed = 1; seed <= GetParam().problems; ++seed) {
    SCOPED_TRACE(seed);
    Problem problem = testing::random_problem(seed);
    const std::int32_t last = problem.horizon;
    Limits limits;
    limits.seed = seed % 3;
    const auto answers = solve(problem, 1, last, false, limits);
    ASSERT_EQ(answers.size(), static_cast<std::size_t>(last));
    for (const HorizonAnswer& answer : answers) {
      set_horizon(problem, answer.horizon);
      const auto best = testing::brute_force_cost(problem);
      ASSERT_EQ(answer.status, best ? Status::optimal : Status::infeasible) << answer.horizon;
      ASSERT_EQ(answer.cost, best) << answer.horizon;
      (best ? optimal : infeasible) += 1;
      if (!best) continue;
      const checking::PlanCheck check = checking::check_plan(problem, *answer.plan);
      ASSERT_TRUE(check.accepted) << check.violation;
      ASSERT_EQ(check.cost, *best);
    }
  }
  EXPECT_GT(optimal, 300);
  EXPECT_GT(infeasible, 100);
}

TEST_P(GrowingHorizon, FindsTheShortestPlan) {
  const auto answers = solve(read_problem(corridor), 1, 20, true, {});
  ASSERT_EQ(answers.size(), 5u);  // one to the key, four to the door
  for (std::size_t i = 0; i + 1 < answers.size(); ++i) EXPECT_EQ(answers[i].status, Status::infeasible);
  EXPECT_EQ(answers.back().horizon, 5);
  EXPECT_EQ(answers.back().status, Status::feasible);
  EXPECT_EQ(answers.back().cost, 5);
}

TEST_P(GrowingHorizon, StartsAnywhereAndStopsAtALimit) {
  const auto answers = solve(read_problem(corridor), 6, 7, false, {});
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].horizon, 6);
  EXPECT_EQ(answers[1].cost, 5);
  const std::atomic<bool> interrupt = true;
  Limits limits;
  limits.interrupt = &interrupt;
  const auto stopped = solve(read_problem(corridor), 6, 7, false, limits);
  ASSERT_EQ(stopped.size(), 1u);
  EXPECT_EQ(stopped[0].status, Status::unknown);
  EXPECT_EQ(testing::input_error_of([] { solve(read_problem(corridor), 1, 2'000'000, false, {}); }),
            "horizon 2000000 is out of range, expected 1 to 1000000");
}

}  // namespace
}  // namespace bnnplan::engines
