// The interface that the search works over: what every oracle must do, asked of CaDiCaL, of our own
// solver and of an oracle that tries all assignments; and the same algorithms with the same optima over all.
#include "bnnplan/maxsat/core_oracle.hpp"

#include <deque>
#include <memory>

#include <gtest/gtest.h>

#include "bnnplan/cdcl/native_oracle.hpp"
#include "bnnplan/maxsat/formula_check.hpp"
#include "bnnplan/maxsat/maxsat.hpp"
#include "bnnplan/maxsat/sat_solver.hpp"
#include "brute_force_oracle.hpp"
#include "oracle_inputs.hpp"
#include "support/brute_force.hpp"
#include "support/random_maxsat_options.hpp"

namespace bnnplan::maxsat {
namespace {

using testing::below;
using testing::BruteForceOracle;
using testing::fixed_inputs;
using testing::new_inputs;
using testing::Random;

enum class Kind { cadical, native, native_by_time, brute_force, loose_cores };

class EveryOracle : public ::testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<CoreOracle> make_oracle() {
    if (GetParam() == Kind::cadical) return std::make_unique<SatSolver>(watch_, 0);
    if (GetParam() == Kind::native || GetParam() == Kind::native_by_time) {
      cdcl::SolverOptions options;
      if (GetParam() == Kind::native) options = {.cores = true};
      return std::make_unique<cdcl::NativeOracle>(solvers_.emplace_back(options, watch_));
    }
    return std::make_unique<BruteForceOracle>(
        GetParam() == Kind::loose_cores ? BruteForceOracle::Cores::all : BruteForceOracle::Cores::minimal);
  }

  LimitWatch watch_{Limits{}};
  std::deque<cdcl::Solver> solvers_;
};

INSTANTIATE_TEST_SUITE_P(Core, EveryOracle,
                         ::testing::Values(Kind::cadical, Kind::native, Kind::native_by_time,
                                           Kind::brute_force, Kind::loose_cores));

TEST_P(EveryOracle, NamesAssumptionsThatFail) {
  const auto oracle = make_oracle();
  const std::vector<Lit> x = new_inputs(*oracle, 4);
  oracle->add({~x[0], ~x[2]});
  ASSERT_EQ(oracle->solve(std::vector{x[0], x[1]}), SatAnswer::satisfiable);
  EXPECT_TRUE(oracle->value(x[0]) && oracle->value(x[1]) && oracle->value(~x[2]));
  ASSERT_EQ(oracle->solve(x), SatAnswer::unsatisfiable);
  const std::vector<Lit> core = oracle->core();
  EXPECT_EQ(oracle->solve(core), SatAnswer::unsatisfiable);
  EXPECT_EQ(core, GetParam() == Kind::loose_cores ? x : (std::vector{x[0], x[2]}));
  ASSERT_EQ(oracle->solve(std::vector{x[1], x[3]}), SatAnswer::satisfiable);
  EXPECT_EQ(oracle->calls(), 4);
  oracle->add({x[2]});
  oracle->add({x[0]});
  ASSERT_EQ(oracle->solve(x), SatAnswer::unsatisfiable);
  EXPECT_TRUE(oracle->core().empty());
}

TEST_P(EveryOracle, CountsAllAssignments) {
  for (std::size_t n = 1; n <= 7; ++n) {
    const auto oracle = make_oracle();
    const std::vector<Lit> inputs = new_inputs(*oracle, n);
    const CoreOracle::Counter counter = oracle->add_counter(inputs);
    ASSERT_EQ(counter.size, n);
    for (std::size_t k = 1; k <= n; ++k) {  // grows from k to k
      const Lit output = oracle->output(counter, k);
      EXPECT_EQ(oracle->output(counter, k), output);
      for (unsigned bits = 0; bits < 1u << n; ++bits) {
        std::vector<Lit> assumptions = fixed_inputs(inputs, bits);
        assumptions.push_back(~output);
        const bool enough = static_cast<std::size_t>(__builtin_popcount(bits)) >= k;
        EXPECT_EQ(oracle->solve(assumptions), enough ? SatAnswer::unsatisfiable : SatAnswer::satisfiable)
            << n << " " << k << " " << bits;
      }
      if (k == 1) continue;
      const std::vector<Lit> wrong_order = {output, ~oracle->output(counter, k - 1)};
      EXPECT_EQ(oracle->solve(wrong_order), SatAnswer::unsatisfiable);
    }
  }
}

// Outputs are inputs: what happens to a core of cores.
TEST_P(EveryOracle, CountsOutputsOfCounters) {
  const auto oracle = make_oracle();
  const std::vector<Lit> inputs = new_inputs(*oracle, 5);
  const CoreOracle::Counter lower = oracle->add_counter(std::span(inputs).first(3));
  const std::vector<Lit> upper_inputs = {oracle->output(lower, 2), inputs[3], ~inputs[4]};
  const CoreOracle::Counter upper = oracle->add_counter(upper_inputs);
  const Lit two = oracle->output(upper, 2);
  for (unsigned bits = 0; bits < 32; ++bits) {
    std::vector<Lit> assumptions = fixed_inputs(inputs, bits);
    assumptions.push_back(~two);
    const int count = (__builtin_popcount(bits & 7u) >= 2 ? 1 : 0) + ((bits & 8u) != 0 ? 1 : 0) +
                      ((bits & 16u) == 0 ? 1 : 0);
    EXPECT_EQ(oracle->solve(assumptions), count >= 2 ? SatAnswer::unsatisfiable : SatAnswer::satisfiable)
        << bits;
  }
}

TEST_P(EveryOracle, BoundsSums) {
  // Our own solver has signed numbers.
  const bool native = GetParam() == Kind::native || GetParam() == Kind::native_by_time;
  const formats::Weight heavy = formats::Weight{1} << (native ? 61 : 63);
  const std::vector<formats::Weight> weights = {2, 3, 3, 7, heavy};
  const auto oracle = make_oracle();
  const std::vector<Lit> inputs = new_inputs(*oracle, weights.size());
  std::vector<CostTerm> terms;
  for (std::size_t i = 0; i < weights.size(); ++i) terms.push_back({inputs[i], weights[i]});
  std::optional<CoreOracle::BoundedSum> sum;
  for (const formats::Weight largest : {heavy + 5, heavy, formats::Weight{12}, formats::Weight{10},
                                        formats::Weight{5}, formats::Weight{1}, formats::Weight{0}}) {
    if (sum) {
      oracle->tighten(*sum, largest);
    } else {
      sum = oracle->add_bounded_sum(terms, largest);
    }
    for (unsigned bits = 0; bits < 32; ++bits) {
      formats::Weight paid = 0;
      for (std::size_t i = 0; i < weights.size(); ++i) paid += (bits >> i & 1u) != 0 ? weights[i] : 0;
      EXPECT_EQ(oracle->solve(fixed_inputs(inputs, bits)),
                paid <= largest ? SatAnswer::satisfiable : SatAnswer::unsatisfiable)
          << largest << " " << bits;
    }
  }
}

TEST_P(EveryOracle, FindsTheOptimum) {
  const std::int64_t heaviest[] = {1, 3, 100, std::int64_t{1} << 55};
  // With cores that are too large and weights that are all different the bound rises by next to nothing.
  const int kinds = GetParam() == Kind::loose_cores ? 2 : 4;
  Random random(6);
  MaxSatStatistics all;
  int improving = 0;
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    const auto variables = static_cast<std::uint32_t>(1 + below(random, 6));
    const formats::Wcnf formula =
        i % 3 == 0   ? testing::wild_formula(random, variables, heaviest[i / 3 % kinds])
        : i % 3 == 1 ? testing::vertex_cover(random, 8, 12, heaviest[i / 3 % kinds])
                     : testing::random_three_sat(random, 9, 3, heaviest[i / 3 % kinds]);
    SCOPED_TRACE(wcnf_text(formula, testing::WcnfFormat::modern));
    const std::optional<formats::Weight> optimum = testing::brute_force_cost(formula);
    MaxSatRequest request;
    if (i % 2 == 0) request.options = testing::random_maxsat_options(random);
    improving += request.options.strategy == MaxSatStrategy::improve ? 1 : 0;
    const auto oracle = make_oracle();
    const MaxSatOutcome outcome = solve_maxsat(formula, request, *oracle, watch_);
    ASSERT_EQ(outcome.status, optimum ? Status::optimal : Status::infeasible);
    EXPECT_EQ(outcome.cost, optimum);
    EXPECT_EQ(outcome.statistics.sat_calls, oracle->calls());
    if (!optimum) continue;
    EXPECT_EQ(outcome.lower_bound, *optimum);
    EXPECT_FALSE(falsified_hard_clause(formula, *outcome.model));
    EXPECT_EQ(cost_of_model(formula, *outcome.model), *optimum);
    all.cores += outcome.statistics.cores;
    all.removed_by_minimisation += outcome.statistics.removed_by_minimisation;
    all.raised_by_exhaustion += outcome.statistics.raised_by_exhaustion;
    all.hardened += outcome.statistics.hardened;
    all.at_most_ones += outcome.statistics.at_most_ones;
  }
  EXPECT_GT(improving, 30);
  EXPECT_GT(all.cores, 300);
  EXPECT_GT(all.raised_by_exhaustion, 0);
  EXPECT_GT(all.hardened, 0);
  EXPECT_GT(all.at_most_ones, 0);
  if (GetParam() == Kind::brute_force) {
    EXPECT_EQ(all.removed_by_minimisation, 0);  // its cores cannot be made smaller
  } else {
    EXPECT_GT(all.removed_by_minimisation, 0);
  }
}

}  // namespace
}  // namespace bnnplan::maxsat
