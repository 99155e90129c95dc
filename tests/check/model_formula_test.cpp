// The checker makes the formula of a model by itself; what is written for solvers must be the same formula,
// constraint by constraint, or proofs would be about something else.
#include "bnnplan/check/model_formula.hpp"

#include <gtest/gtest.h>

#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/formats/opb_writer.hpp"
#include "bnnplan/model/simplify.hpp"
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

TEST(ModelFormula, IsWhatIsWrittenForSolvers) {
  std::size_t constraints = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    testing::RandomProblemSize size;
    size.large_numbers = seed % 3 == 0;
    const model::ZeroOneModel model = model::unroll(testing::random_problem(seed, size));
    const ModelFormula ours = formula_of(model);
    expect_same(ours.formula, written(model));
    constraints += ours.formula.constraints.size();
    const model::ZeroOneModel simple = model::simplify(model).model;
    expect_same(formula_of(simple).formula, written(simple));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(constraints, 5000u);
}

model::ZeroOneModel model_of(const LinearRow& row) {
  model::ZeroOneModel model;
  model.layout.horizon = 1;
  model.layout.state_bits = 2;
  model.rows.push_back({row, {}});
  return model;
}

TEST(ModelFormula, DividesAndRounds) {
  const Lit x = Lit::positive({0}), y = Lit::positive({1});
  for (const Comparison comparison : {Comparison::at_least, Comparison::at_most, Comparison::equal}) {
    for (std::int64_t bound = -9; bound <= 9; ++bound) {
      const model::ZeroOneModel model = model_of({{{6, x}, {-4, ~y}, {2, x}}, comparison, bound});
      const PbFormula ours = formula_of(model).formula;
      expect_same(ours, written(model));
      for (int assignment = 0; assignment < 4; ++assignment) {
        const int x_value = assignment & 1, y_value = assignment >> 1;
        const std::int64_t sum = 8 * x_value - 4 * (1 - y_value);
        const bool holds = comparison == Comparison::at_least  ? sum >= bound
                           : comparison == Comparison::at_most ? sum <= bound
                                                               : sum == bound;
        bool all = true;
        for (const PbConstraint& constraint : ours.constraints) {
          std::int64_t value = 0;
          for (const auto& [coefficient, literal] : constraint.terms)
            value += (assignment >> literal.var().index & 1) != (literal.negated() ? 1 : 0) ? coefficient : 0;
          all &= value >= constraint.bound;
        }
        EXPECT_EQ(all, holds) << bound << ' ' << assignment;
      }
    }
  }
}

TEST(ModelFormula, TheOffsetMakesAValueACost) {
  model::ZeroOneModel model = model_of({{{1, Lit::positive({0})}}, Comparison::at_least, 0});
  model.objective = {{3, Lit::positive({0})}, {5, Lit::negative({1})}};
  model.offset = 7;
  const ModelFormula ours = formula_of(model);
  EXPECT_EQ(ours.offset, 12);
  expect_same(ours.formula, written(model));
}

}  // namespace
}  // namespace bnnplan::checking
