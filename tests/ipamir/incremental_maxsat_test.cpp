// The incremental solver against brute force, over random sequences of clauses, weights and assumptions.
#include "bnnplan/maxsat/incremental_maxsat.hpp"

#include <atomic>
#include <optional>

#include <gtest/gtest.h>

#include "bnnplan/base/checked.hpp"
#include "support/brute_force.hpp"
#include "support/formula_families.hpp"
#include "support/random_maxsat_options.hpp"

namespace bnnplan::ipamir {
namespace {

using testing::below;
using testing::Random;

Lit random_literal(Random& random, std::uint32_t variables) {
  return Lit::of({static_cast<std::uint32_t>(below(random, variables))}, below(random, 2) == 0);
}

// What the solver was told, by itself.
struct Told {
  formats::Wcnf clauses;
  std::vector<formats::Weight> weights;  // by code

  std::optional<formats::Weight> optimum(const std::vector<Lit>& assumptions) const {
    formats::Wcnf formula = clauses;
    for (std::uint32_t code = 0; code < weights.size(); ++code) formula.add_soft({~Lit{code}}, weights[code]);
    for (const Lit literal : assumptions) formula.add_hard({literal});
    return testing::brute_force_cost(formula);
  }
};

void run_sequence(Random& random, const maxsat::MaxSatOptions& options, formats::Weight heaviest,
                  std::size_t& reused, std::size_t& unsatisfiable) {
  maxsat::IncrementalMaxSat solver(options, 7);
  Told told;
  for (int call = 0; call < 12; ++call) {
    // Some variables, clauses and weights more, or nothing at all.
    for (std::int64_t n = below(random, 3); n > 0 && told.clauses.variables < 9; --n) {
      solver.new_variable();
      told.clauses.new_variable();
      told.weights.resize(told.weights.size() + 2);
    }
    const std::uint32_t variables = told.clauses.variables;
    if (variables == 0) continue;
    for (std::int64_t n = below(random, 5); n > 0; --n) {
      std::vector<Lit> clause;
      for (std::int64_t k = 2 + below(random, 3); k > 0; --k)
        clause.push_back(random_literal(random, variables));
      solver.add(clause);
      told.clauses.add_hard(clause);
    }
    for (std::int64_t n = below(random, 5); n > 0; --n) {
      const Lit literal = random_literal(random, variables);
      const auto weight =
          static_cast<formats::Weight>(below(random, static_cast<std::int64_t>(heaviest) + 1));
      solver.set_weight(literal, weight);
      told.weights[literal.code] = weight;
    }
    std::vector<Lit> assumptions;
    for (std::int64_t n = below(random, 4); n > 0; --n)
      assumptions.push_back(random_literal(random, variables));

    const auto optimum = told.optimum(assumptions);
    maxsat::IncrementalMaxSat::Request request;
    request.callbacks.lower_bound = [&](formats::Weight lower) {
      ASSERT_TRUE(optimum);
      EXPECT_LE(lower, *optimum);
    };
    const maxsat::MaxSatOutcome outcome = solver.solve(assumptions, request);
    reused += solver.reused_cores();
    if (!optimum) {
      ++unsatisfiable;
      ASSERT_EQ(outcome.status, Status::infeasible);
      EXPECT_FALSE(outcome.model || outcome.cost);
      continue;
    }
    ASSERT_EQ(outcome.status, Status::optimal) << "call " << call;
    ASSERT_EQ(outcome.cost, optimum) << "call " << call;
    EXPECT_EQ(outcome.lower_bound, *optimum);
    ASSERT_EQ(outcome.model->size(), variables);
    const auto is_true = [&](Lit literal) {
      return (*outcome.model)[literal.var().index] != literal.negated();
    };
    for (const Lit literal : assumptions) EXPECT_TRUE(is_true(literal));
    formats::Weight cost = 0;
    for (std::uint32_t code = 0; code < told.weights.size(); ++code)
      cost += is_true(Lit{code}) ? told.weights[code] : 0;
    EXPECT_EQ(cost, *optimum);
  }
}

TEST(IncrementalMaxSat, AgreesWithBruteForceOverRandomSequences) {
  Random random(1);
  std::size_t reused = 0, unsatisfiable = 0;
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    SCOPED_TRACE(i);
    const formats::Weight heaviest[] = {1, 4, 1'000'000'007};
    run_sequence(random, i % 2 == 0 ? maxsat::MaxSatOptions{} : testing::random_maxsat_options(random),
                 heaviest[i % 3], reused, unsatisfiable);
  }
  EXPECT_GT(reused, 2000u) << "cores are not kept";
  EXPECT_GT(unsatisfiable, 500u);
}

// n cost literals of which at least half are true, and a switch that demands one more.
struct Halves {
  explicit Halves(std::uint32_t pairs, const maxsat::MaxSatOptions& options = {}) : solver(options) {
    every = solver.new_variable();
    for (std::uint32_t i = 0; i < pairs; ++i) {
      const Lit a = solver.new_variable(), b = solver.new_variable();
      solver.add({a, b});
      solver.add({~every, a});
      solver.add({~every, b});
      solver.set_weight(a, 1);
      solver.set_weight(b, 1);
    }
  }

  maxsat::IncrementalMaxSat solver;
  Lit every{};
};

TEST(IncrementalMaxSat, FindsACoreOnlyOnce) {
  maxsat::MaxSatOptions options;
  options.hardening =
      false;  // what it shows holds for one search alone, and the last core would be one of those
  Halves halves(20, options);
  const maxsat::MaxSatOutcome first = halves.solver.solve({}, {});
  EXPECT_EQ(first.cost, 20u);
  EXPECT_GE(first.statistics.cores, 20);
  EXPECT_EQ(halves.solver.reused_cores(), 0u);
  const maxsat::MaxSatOutcome again = halves.solver.solve({}, {});
  EXPECT_EQ(again.cost, 20u);
  EXPECT_EQ(again.statistics.cores, 0);
  EXPECT_GE(halves.solver.reused_cores(), 20u);
  const std::vector<Lit> all = {halves.every}, none = {~halves.every};
  EXPECT_EQ(halves.solver.solve(all, {}).cost, 40u);
  // Cores that rest on an assumption come back with it, and only with it.
  const maxsat::MaxSatOutcome all_again = halves.solver.solve(all, {});
  EXPECT_EQ(all_again.cost, 40u);
  EXPECT_EQ(all_again.statistics.cores, 0);
  const maxsat::MaxSatOutcome without = halves.solver.solve(none, {});
  EXPECT_EQ(without.cost, 20u);
  EXPECT_EQ(without.status, Status::optimal);
}

TEST(IncrementalMaxSat, WeightsChangeAndGo) {
  maxsat::IncrementalMaxSat solver;
  const Lit a = solver.new_variable(), b = solver.new_variable();
  solver.add({a, b});
  solver.set_weight(a, 3);
  solver.set_weight(b, 5);
  EXPECT_EQ(solver.solve({}, {}).cost, 3u);
  solver.set_weight(a, 9);
  EXPECT_EQ(solver.solve({}, {}).cost, 5u);
  solver.set_weight(b, 0);
  EXPECT_EQ(solver.solve({}, {}).cost, 0u);
  solver.set_weight(~b, 4);  // both a literal and its negation
  solver.set_weight(b, 1);
  EXPECT_EQ(solver.solve({}, {}).cost, 1u);
  solver.set_weight(~b, formats::largest_weight_sum - 10);
  EXPECT_THROW(solver.set_weight(~a, 1), OverflowError);
  EXPECT_EQ(solver.solve({}, {}).cost, 1u);
}

TEST(IncrementalMaxSat, StopsAndGoesOn) {
  Halves halves(6);
  maxsat::IncrementalMaxSat::Request request;
  request.should_stop = [] { return true; };
  const maxsat::MaxSatOutcome stopped = halves.solver.solve({}, request);
  EXPECT_EQ(stopped.status, Status::unknown);
  EXPECT_EQ(stopped.stopped, StopReason::interrupted);
  std::atomic<bool> interrupt = true;
  request = {};
  request.limits.interrupt = &interrupt;
  EXPECT_EQ(halves.solver.solve({}, request).stopped, StopReason::interrupted);
  EXPECT_EQ(halves.solver.solve({}, {}).cost, 6u);
  request = {};
  request.first = true;
  const maxsat::MaxSatOutcome any = halves.solver.solve({}, request);
  EXPECT_EQ(any.status, Status::feasible);
  EXPECT_TRUE(any.model);
}

TEST(IncrementalMaxSat, EmptyClausesAndNoClauses) {
  maxsat::IncrementalMaxSat solver;
  EXPECT_EQ(solver.solve({}, {}).status, Status::optimal);
  EXPECT_EQ(solver.solve({}, {}).cost, 0u);
  solver.add(std::span<const Lit>{});
  EXPECT_EQ(solver.solve({}, {}).status, Status::infeasible);
}

}  // namespace
}  // namespace bnnplan::ipamir
