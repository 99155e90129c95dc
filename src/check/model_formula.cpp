// The formula of a model, built a second time. Formats and proofs use model/plain_row.cpp; this is a second
// copy of its rules on purpose, so that a mistake there cannot hide here. A test compares the two on random
// problems.
//
//   a row                              one constraint, an equation two, divided by a common divisor
//   y <-> at least k of n literals     sum l_i - k y >= 0   and   -(sum l_i) + (n - k + 1) y >= 1 - k
//   the same with k <= 0, or k > n     y >= 1, or -y >= 0
//   the objective                      over variables: a ~x is a - a x, and the a goes into the offset
#include "bnnplan/check/model_formula.hpp"

#include <numeric>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::checking {

namespace {

using Terms = std::vector<PbConstraint::Term>;

std::int64_t common_divisor(const PbConstraint& constraint) {
  std::int64_t divisor = 0;
  for (const PbConstraint::Term& term : constraint.terms) divisor = std::gcd(divisor, term.coefficient);
  return divisor;
}

// 6 x + 4 y >= 3 is 3 x + 2 y >= 2.
PbConstraint divided(PbConstraint constraint) {
  const std::int64_t divisor = common_divisor(constraint);
  if (divisor <= 1) return constraint;
  for (PbConstraint::Term& term : constraint.terms) term.coefficient /= divisor;
  const std::int64_t whole = constraint.bound / divisor;  // rounded towards 0
  constraint.bound = whole * divisor < constraint.bound ? whole + 1 : whole;
  return constraint;
}

void add_at_least(PbFormula& formula, const Terms& terms, std::int64_t bound) {
  add_constraint(formula, divided(normal_constraint(terms, bound)));
}

void add_at_most(PbFormula& formula, const Terms& terms, std::int64_t bound) {
  add_at_least(formula, negated(terms), checked_negate(bound));
}

void add_row(PbFormula& formula, const LinearRow& row) {
  Terms terms;
  for (const auto& [coefficient, literal] : row.terms) terms.push_back({coefficient, literal});
  if (row.comparison == Comparison::equal) {
    const PbConstraint half = normal_constraint(terms, row.bound);
    const std::int64_t divisor = common_divisor(half);
    // Every sum is a multiple of the divisor, the bound is not.
    if (divisor > 1 && half.bound % divisor != 0) {
      add_constraint(formula, {{}, 1});
      return;
    }
  }
  if (row.comparison != Comparison::at_most) add_at_least(formula, terms, row.bound);
  if (row.comparison != Comparison::at_least) add_at_most(formula, terms, row.bound);
}

void add_neuron(PbFormula& formula, const ReifiedAtLeast& neuron) {
  const auto n = static_cast<std::int64_t>(neuron.inputs.size());
  const std::int64_t k = neuron.threshold;
  if (k <= 0) return add_at_least(formula, {{1, neuron.output}}, 1);
  if (k > n) return add_at_most(formula, {{1, neuron.output}}, 0);
  Terms terms;
  for (const Lit input : neuron.inputs) terms.push_back({1, input});
  terms.push_back({-k, neuron.output});
  add_at_least(formula, terms, 0);
  terms.back().coefficient = -(n - k + 1);
  add_at_most(formula, terms, k - 1);
}

}  // namespace

ModelFormula formula_of(const model::ZeroOneModel& model) {
  ModelFormula result{{}, model.offset};
  PbFormula& formula = result.formula;
  formula.variables = model.layout.variable_count();
  formula.has_objective = !model.objective.empty();
  for (const auto& [weight, literal] : model.objective) {
    if (literal.negated()) result.offset = checked_add(result.offset, weight);
    formula.objective.push_back(
        {literal.negated() ? checked_negate(weight) : weight, Lit::positive(literal.var())});
  }
  for (const model::ModelRow& entry : model.rows) add_row(formula, entry.row);
  for (const model::ModelNeuron& entry : model.neurons) add_neuron(formula, entry.neuron);
  return result;
}

}  // namespace bnnplan::checking
