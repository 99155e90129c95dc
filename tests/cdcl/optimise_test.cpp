// All strategies and settings find the same optimum on random problems; what they tell on the way is true.
#include "cdcl/optimise.hpp"

#include <gtest/gtest.h>

#include "cdcl/load_model.hpp"
#include "check/model_check.hpp"
#include "engines/random_problem.hpp"
#include "model/unroll.hpp"

namespace bnnplan {
namespace {

struct Result {
  std::optional<std::int64_t> value;
  std::int64_t lower = 0;
  OptimiseEnd end = OptimiseEnd::stopped;
};

Result minimise(const ZeroOneModel& model, const OptimiseOptions& options, const SolverOptions& settings,
                std::optional<std::int64_t> known = {}) {
  LimitWatch watch{Limits{}};
  Solver solver(settings, watch);
  load_model(model, solver);
  Result result;
  OptimiseEvents events;
  events.improved = [&](std::int64_t value) {
    if (result.value) {
      EXPECT_LT(value, *result.value);
    }
    BitValues values;
    for (std::uint32_t v = 0; v < model.layout.variable_count(); ++v)
      values.push_back(solver.model_value(Lit::positive({v})) ? 1 : 0);
    const AssignmentCheck check = check_assignment(model, values);
    EXPECT_TRUE(check.accepted) << check.violation;
    EXPECT_EQ(check.objective, model.offset + value);
    result.value = value;
  };
  events.raised = [&](std::int64_t lower) {
    EXPECT_GE(lower, result.lower);
    result.lower = lower;
  };
  if (known) events.known_upper = [&] { return *known; };
  result.end = optimise(solver, model.objective, options, events, watch);
  return result;
}

TEST(Optimise, StrategiesAgree) {
  int solved = 0, by_cores = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const ZeroOneModel model = unroll(testing::random_problem(seed, {.most_state_bits = 6, .most_steps = 5}));
    const Result improving = minimise(model, {.strategy = OptimiseStrategy::improving}, {});
    const Result cores = minimise(model, {.strategy = OptimiseStrategy::cores}, {.seed = seed});
    const Result lists =
        minimise(model, {.strategy = OptimiseStrategy::alternate},
                 {.order = DecisionOrder::activity, .restarts = RestartPolicy::luby, .dense = false});
    ASSERT_EQ(improving.end, OptimiseEnd::finished);
    ASSERT_EQ(cores.value, improving.value);
    ASSERT_EQ(lists.value, improving.value);
    if (!improving.value) continue;
    ++solved;
    EXPECT_LE(cores.lower, *cores.value);
    by_cores += cores.lower == *cores.value && *cores.value > 0 ? 1 : 0;
    // Somebody else has the optimum: nothing better is found, and the bound reaches it.
    const Result told = minimise(model, {}, {}, *improving.value);
    EXPECT_FALSE(told.value);
    EXPECT_EQ(told.end, OptimiseEnd::finished);
    EXPECT_EQ(told.lower, *improving.value);
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(by_cores, 30);
}

}  // namespace
}  // namespace bnnplan
