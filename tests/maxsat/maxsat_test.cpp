// The embedded MaxSAT solver against brute force: both strategies, every technique on and off, on formulas
// with everything in them that a formula may have, weights small and huge.
#include "bnnplan/maxsat/maxsat.hpp"

#include <atomic>
#include <optional>

#include <gtest/gtest.h>

#include "bnnplan/formats/wcnf_reader.hpp"
#include "bnnplan/maxsat/formula_check.hpp"
#include "support/brute_force.hpp"
#include "support/formula_families.hpp"
#include "support/random_maxsat_options.hpp"

namespace bnnplan::maxsat {
namespace {

using testing::below;
using testing::Random;
using testing::WcnfFormat;

void expect_optimal(const formats::Wcnf& formula, const MaxSatOptions& options,
                    std::optional<formats::Weight> optimum) {
  MaxSatRequest request;
  request.options = options;
  formats::Weight best = std::numeric_limits<formats::Weight>::max(), lower = 0;
  request.callbacks.improvement = [&](const MaxSatModel& model, formats::Weight cost) {
    EXPECT_FALSE(falsified_hard_clause(formula, model));
    EXPECT_EQ(cost_of_model(formula, model), cost);
    EXPECT_LT(cost, best);
    best = cost;
  };
  request.callbacks.lower_bound = [&](formats::Weight bound) {
    EXPECT_GT(bound, lower);
    lower = bound;
    ASSERT_TRUE(optimum);
    EXPECT_LE(bound, *optimum);
  };
  const MaxSatOutcome outcome = solve_maxsat(formula, request);
  EXPECT_EQ(outcome.stopped, StopReason::none);
  if (!optimum) {
    EXPECT_EQ(outcome.status, Status::infeasible);
    EXPECT_FALSE(outcome.cost || outcome.model);
    return;
  }
  ASSERT_EQ(outcome.status, Status::optimal);
  EXPECT_EQ(outcome.cost, optimum);
  EXPECT_EQ(outcome.lower_bound, *optimum);
  EXPECT_EQ(best, *optimum);
  EXPECT_EQ(lower, *optimum);
  ASSERT_TRUE(outcome.model);
  EXPECT_EQ(cost_of_model(formula, *outcome.model), *optimum);
  EXPECT_FALSE(falsified_hard_clause(formula, *outcome.model));
}

TEST(MaxSat, AgreesWithBruteForceOnTwoThousandFormulas) {
  Random random(1);
  int unsatisfiable = 0;
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    const auto variables = static_cast<std::uint32_t>(1 + below(random, i % 100 == 0 ? 15 : 10));
    const std::int64_t heaviest[] = {1, 3, 100, 1'000'000'007, std::int64_t{1} << 55};
    const formats::Wcnf made = testing::wild_formula(random, variables, heaviest[i % 5]);
    // Through text and back, so that both formats and the reader are part of it.
    const std::string text = wcnf_text(made, i % 2 == 0          ? WcnfFormat::modern
                                             : made.hard.empty() ? WcnfFormat::classic_without_top
                                                                 : WcnfFormat::classic);
    SCOPED_TRACE(text);
    const formats::Wcnf formula = formats::parse_wcnf(text, "formula");
    const auto optimum = testing::brute_force_cost(formula);
    unsatisfiable += optimum ? 0 : 1;
    expect_optimal(formula, {}, optimum);
    expect_optimal(formula, testing::random_maxsat_options(random), optimum);
  }
  EXPECT_GT(unsatisfiable, 100);
  EXPECT_LT(unsatisfiable, 1000);
}

// Large enough that one call does not finish it.
formats::Wcnf large_formula() {
  Random random(3);
  return testing::random_three_sat(random, 400, 3.5, 50);
}

TEST(MaxSat, StopsAtLimits) {
  const formats::Wcnf formula = large_formula();
  const auto stopped = [&](const Limits& limits) {
    MaxSatRequest request;
    request.limits = limits;
    const MaxSatOutcome outcome = solve_maxsat(formula, request);
    EXPECT_EQ(outcome.model.has_value(), outcome.status == Status::feasible);
    EXPECT_EQ(outcome.cost.has_value(), outcome.model.has_value());
    return std::pair(outcome.status, outcome.stopped);
  };
  Limits limits;
  limits.seconds = 0;
  EXPECT_EQ(stopped(limits), std::pair(Status::unknown, StopReason::time));
  limits = {};
  limits.memory_bytes = 1;
  EXPECT_EQ(stopped(limits), std::pair(Status::unknown, StopReason::memory));
  const std::atomic<bool> interrupt = true;
  limits = {};
  limits.interrupt = &interrupt;
  EXPECT_EQ(stopped(limits), std::pair(Status::unknown, StopReason::interrupted));
}

TEST(MaxSat, InterruptKeepsTheBestModelAndBound) {
  const formats::Wcnf formula = large_formula();
  for (const MaxSatStrategy strategy : {MaxSatStrategy::core, MaxSatStrategy::improve}) {
    std::atomic<bool> interrupt = false;
    MaxSatRequest request;
    request.options.strategy = strategy;
    request.limits.interrupt = &interrupt;
    int improvements = 0;
    request.callbacks.improvement = [&](const MaxSatModel&, formats::Weight) {
      interrupt = ++improvements == 2;
    };
    const MaxSatOutcome outcome = solve_maxsat(formula, request);
    EXPECT_EQ(outcome.status, Status::feasible);
    EXPECT_EQ(outcome.stopped, StopReason::interrupted);
    ASSERT_TRUE(outcome.model && outcome.cost);
    EXPECT_FALSE(falsified_hard_clause(formula, *outcome.model));
    EXPECT_EQ(cost_of_model(formula, *outcome.model), *outcome.cost);
    EXPECT_LT(outcome.lower_bound, *outcome.cost);
  }
}

TEST(MaxSat, RunsTheSameTwice) {
  Random random(9);
  const formats::Wcnf formula = testing::random_three_sat(random, 80, 3.0, 20);
  const MaxSatOutcome first = solve_maxsat(formula), second = solve_maxsat(formula);
  EXPECT_EQ(first.status, Status::optimal);
  EXPECT_EQ(first.model, second.model);
  EXPECT_EQ(first.statistics.sat_calls, second.statistics.sat_calls);
  EXPECT_EQ(first.statistics.conflicts, second.statistics.conflicts);
  EXPECT_EQ(first.statistics.core_literals, second.statistics.core_literals);
  MaxSatRequest request;
  request.limits.seed = 7;
  EXPECT_EQ(solve_maxsat(formula, request).cost, first.cost);
}

TEST(MaxSat, TechniquesDoTheirWork) {
  // Five vertices, all connected: a vertex cover leaves out one, the heaviest.
  formats::Wcnf clique;
  for (std::uint32_t a = 0; a < 5; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) clique.add_hard({Lit::positive({a}), Lit::positive({b})});
    clique.add_soft({Lit::negative({a})}, 10 + a);
  }
  const MaxSatOutcome outcome = solve_maxsat(clique);
  EXPECT_EQ(outcome.cost, 46);
  EXPECT_EQ(outcome.statistics.at_most_ones, 1);
  EXPECT_EQ(outcome.statistics.cores, 0);

  Random random(4);
  const formats::Wcnf cover = testing::set_cover(random, 100, 40, 20);
  const MaxSatStatistics statistics = solve_maxsat(cover).statistics;
  EXPECT_GT(statistics.cores, 0);
  EXPECT_GT(statistics.hardened, 0);
  EXPECT_GT(statistics.removed_by_minimisation, 0);
  // A core that cannot be made smaller can have a single true literal: exhaustion is for the others.
  MaxSatRequest request;
  request.options.core_minimisation = false;
  std::int64_t raised = 0;
  for (int i = 0; i < 20; ++i) {
    raised +=
        solve_maxsat(testing::random_three_sat(random, 60, 5, 1), request).statistics.raised_by_exhaustion;
    raised += solve_maxsat(testing::max_cut(random, 20, 60, 1), request).statistics.raised_by_exhaustion;
  }
  EXPECT_GT(raised, 0);
}

}  // namespace
}  // namespace bnnplan::maxsat
