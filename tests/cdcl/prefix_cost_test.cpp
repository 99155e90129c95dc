// The chain of costs along time against all assignments, and its steps in a proof.
#include "bnnplan/cdcl/prefix_cost.hpp"

#include <random>

#include <gtest/gtest.h>

#include "bnnplan/cdcl/proof_view.hpp"
#include "cdcl/memory_proof.hpp"

namespace bnnplan::cdcl {
namespace {

std::vector<WeightedLit> random_objective(std::mt19937& random) {
  std::vector<WeightedLit> objective;
  const std::uint32_t terms = 1 + random() % 6;
  for (std::uint32_t v = 0; v < terms; ++v) {
    const auto weight = static_cast<std::int64_t>(random() % 3 == 0 ? 1 + random() % 9 : 1);
    objective.push_back({weight, Lit::of({v}, random() % 4 == 0)});
  }
  return objective;
}

std::int64_t sum_in(const std::vector<WeightedLit>& objective, unsigned assignment) {
  std::int64_t sum = 0;
  for (const auto& [weight, literal] : objective)
    sum += ((assignment >> literal.var().index & 1) != 0) != literal.negated() ? weight : 0;
  return sum;
}

TEST(PrefixCost, AllowsExactlyTheSumsBelowTheBound) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const std::vector<WeightedLit> objective = random_objective(random);
    LimitWatch watch{Limits{}};
    Solver solver({}, watch);
    for (std::size_t v = 0; v < objective.size(); ++v) solver.new_variable();
    std::int64_t upper = 1 + static_cast<std::int64_t>(random() % 20);
    const std::uint32_t before = solver.variable_count();
    PrefixCost chain(solver, objective, upper);
    const std::size_t size = PrefixCost::size(objective, upper, 1000);
    EXPECT_EQ(solver.variable_count() - before, size);
    if (size > 3) {
      EXPECT_GT(PrefixCost::size(objective, upper, 3), 3u);
    }
    for (; upper > 0; upper -= 1 + static_cast<std::int64_t>(random() % 4)) {
      chain.demand_below(upper);
      for (unsigned assignment = 0; assignment < 1u << objective.size(); ++assignment) {
        std::vector<Lit> assumed;
        for (std::uint32_t v = 0; v < objective.size(); ++v)
          assumed.push_back(Lit::of({v}, (assignment >> v & 1) == 0));
        ASSERT_EQ(solver.solve(assumed) == SatAnswer::satisfiable, sum_in(objective, assignment) < upper)
            << "bound " << upper << ", assignment " << assignment;
      }
    }
  }
}

TEST(PrefixCost, EveryStepOfItsProofFollows) {
  std::mt19937 random(8);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    const std::vector<WeightedLit> objective = random_objective(random);
    const auto variables = static_cast<std::uint32_t>(objective.size());
    checking::PbFormula formula;
    formula.variables = variables;
    formula.has_objective = true;
    for (const auto& [weight, literal] : objective) formula.objective.push_back({weight, literal});
    testing::MemoryProof proof(formula);
    std::uint32_t next = variables;
    ProofView view(proof, next, next);
    LimitWatch watch{Limits{}};
    Solver solver({}, watch);
    solver.set_proof(&view);
    std::vector<Var> order;
    for (std::uint32_t v = 0; v < variables; ++v) order.push_back(solver.new_variable());
    solver.set_decision_order(order);
    for (const WeightedLit& term : objective) solver.set_phase(term.literal.var(), !term.literal.negated());
    std::optional<PrefixCost> chain;
    while (solver.solve() == SatAnswer::satisfiable) {
      BitValues values;
      unsigned assignment = 0;
      for (std::uint32_t v = 0; v < variables; ++v) {
        values.push_back(solver.model_value(Lit::positive({v})) ? 1 : 0);
        assignment |= static_cast<unsigned>(values.back()) << v;
      }
      const std::int64_t sum = sum_in(objective, assignment);
      proof.add_solution(values, true);
      if (sum == 0) break;
      if (!chain) chain.emplace(solver, objective, sum);
      chain->demand_below(sum);
    }
    EXPECT_EQ(proof.value(), 0);
    EXPECT_GT(proof.definitions(), 0u);
    proof.conclude_optimal(0);
  }
}

// Two solvers define their variables under the same numbers; in the proof they have different ones.
TEST(ProofView, VariablesOfTwoSolversDoNotMeet) {
  checking::PbFormula formula;
  formula.variables = 3;
  testing::MemoryProof proof(formula);
  std::uint32_t next = 3;
  ProofView first(proof, next, next), second(proof, next, next);
  const std::vector<WeightedLit> all{
      {1, Lit::positive({0})}, {1, Lit::positive({1})}, {1, Lit::positive({2})}};
  first.define({3}, all, 1);
  second.define({3}, all, 3);
  first.define({4}, all, 2);
  second.define({5}, all, 2);  // 4 is a variable that was not defined
  EXPECT_EQ(next, 7u);
  first.add_clause(std::vector{Lit::negative({0}), Lit::positive({3})});
  EXPECT_THROW(second.add_clause(std::vector{Lit::negative({0}), Lit::positive({3})}), std::logic_error);
  second.add_clause(std::vector{Lit::positive({0}), Lit::negative({3})});
  EXPECT_THROW(first.add_clause(std::vector{Lit::positive({0}), Lit::negative({3})}), std::logic_error);
}

}  // namespace
}  // namespace bnnplan::cdcl
