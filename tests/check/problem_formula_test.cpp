// The checker makes the formula of a problem by itself; what is written for solvers must be the same formula,
// constraint by constraint, or proofs would be about something else.
#include "bnnplan/check/problem_formula.hpp"

#include <gtest/gtest.h>

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/formats/opb_writer.hpp"
#include "bnnplan/model/plain_row.hpp"
#include "bnnplan/model/unroll.hpp"
#include "support/random_problem.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::checking {
namespace {

PbFormula written(const model::ZeroOneModel& model) {
  const testing::TemporaryFolder folder;
  OutputFile file(folder / "model.opb");
  formats::write_opb(model, file);
  file.commit();
  return parse_opb(read_text_file(folder / "model.opb"), "model.opb");
}

void expect_same(const std::vector<PbConstraint::Term>& a, const std::vector<PbConstraint::Term>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].coefficient, b[i].coefficient);
    ASSERT_EQ(a[i].literal, b[i].literal);
  }
}

void expect_same(const PbFormula& ours, const PbFormula& theirs) {
  EXPECT_GE(ours.variables, theirs.variables);
  EXPECT_EQ(ours.has_objective, theirs.has_objective);
  expect_same(ours.objective, theirs.objective);
  ASSERT_EQ(ours.constraints.size(), theirs.constraints.size());
  for (std::size_t i = 0; i < ours.constraints.size(); ++i) {
    SCOPED_TRACE(i);
    expect_same(ours.constraints[i].terms, theirs.constraints[i].terms);
    ASSERT_EQ(ours.constraints[i].bound, theirs.constraints[i].bound);
  }
}

TEST(ProblemFormula, IsWhatIsWrittenForSolvers) {
  std::size_t constraints = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomProblemSize size;
    size.large_numbers = seed % 3 == 0;
    Problem problem = testing::random_problem(seed, size);
    if (seed % 4 == 0 && problem.refused.empty()) {
      problem.refused.push_back({problem.initial, {BitValues(problem.action.bit_count(), 1)}});
      problem.refused.push_back({BitValues(problem.state.bit_count(), unknown_bit), {}});
    }
    refused += problem.refused.size();
    const model::ZeroOneModel model = model::unroll(problem);
    const ProblemFormula ours = formula_of(problem);
    EXPECT_EQ(ours.offset, model::plain_objective(model).offset);
    EXPECT_EQ(ours.formula.variables, model.layout.variable_count());
    expect_same(ours.formula, written(model));
    constraints += ours.formula.constraints.size();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(constraints, 5000u);
  EXPECT_GT(refused, 50u);
}

// Two bits of a state, and a goal.
Problem problem_of(std::vector<Term> terms, Comparison comparison, std::int64_t bound) {
  Problem problem;
  problem.horizon = 1;
  problem.state.add({.name = "x", .boolean = true});
  problem.state.add({.name = "y", .boolean = true});
  problem.initial = {unknown_bit, unknown_bit};
  problem.goal.push_back({std::move(terms), comparison, bound, ""});
  return problem;
}

TEST(ProblemFormula, DividesAndRounds) {
  for (const Comparison comparison : {Comparison::at_least, Comparison::at_most, Comparison::equal}) {
    for (std::int64_t bound = -9; bound <= 9; ++bound) {
      const Problem problem =
          problem_of({{8, {Place::state, 0}}, {-4, {Place::state, 1}}}, comparison, bound);
      const PbFormula ours = formula_of(problem).formula;
      expect_same(ours, written(model::unroll(problem)));
      for (int assignment = 0; assignment < 4; ++assignment) {  // of the last state, x3 and x4
        const std::int64_t sum = 8 * (assignment & 1) - 4 * (assignment >> 1);
        const bool holds = comparison == Comparison::at_least  ? sum >= bound
                           : comparison == Comparison::at_most ? sum <= bound
                                                               : sum == bound;
        bool all = true;
        for (const PbConstraint& constraint : ours.constraints) {
          std::int64_t value = 0;
          for (const auto& [coefficient, literal] : constraint.terms)
            value +=
                (assignment << 2 >> literal.var().index & 1) != (literal.negated() ? 1 : 0) ? coefficient : 0;
          all &= value >= constraint.bound;
        }
        EXPECT_EQ(all, holds) << bound << ' ' << assignment;
      }
    }
  }
}

TEST(ProblemFormula, TheOffsetMakesAValueACost) {
  Problem problem = problem_of({{1, {Place::state, 0}}}, Comparison::at_least, 0);
  problem.horizon = 2;
  problem.objective.terms = {{3, {Place::next, 0}}, {-5, {Place::next, 1}}};
  problem.objective.constant = 7;
  problem.objective.discount = {5, -1};
  const ProblemFormula ours = formula_of(problem);
  EXPECT_EQ(ours.offset, 7 * 15);  // 1.0 and 0.5
  expect_same(ours.formula, written(model::unroll(problem)));
}

}  // namespace
}  // namespace bnnplan::checking
