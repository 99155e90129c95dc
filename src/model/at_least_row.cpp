// Linear rows in one normal form, for everything that reads a model:
//
//   a ~x is a - a x, so a row is a sum over variables, in which x and ~x are combined;
//   at most b is at least -b with negated coefficients, an equation is both;
//   -a x is a ~x - a, which makes coefficients positive and moves the rest into the bound.
//
// Further changes (division, cutting coefficients at the bound) are left to the user of the row: they change
// what propagation derives, and what a proof has to say.
#include "bnnplan/model/at_least_row.hpp"

#include <algorithm>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::model {

VariableSum sum_over_variables(std::vector<WeightedLit> terms) {
  VariableSum sum;
  for (WeightedLit& term : terms) {
    if (!term.literal.negated()) continue;
    term = {checked_negate(term.coefficient), ~term.literal};
    sum.shift = checked_add(sum.shift, term.coefficient);
  }
  std::sort(terms.begin(), terms.end(),
            [](const WeightedLit& a, const WeightedLit& b) { return a.literal < b.literal; });
  for (std::size_t i = 0; i < terms.size();) {
    const Lit literal = terms[i].literal;
    std::int64_t coefficient = 0;
    for (; i < terms.size() && terms[i].literal == literal; ++i)
      coefficient = checked_add(coefficient, terms[i].coefficient);
    if (coefficient != 0) sum.terms.push_back({coefficient, literal});
  }
  return sum;
}

AtLeastRow at_least_row(std::vector<WeightedLit> terms, std::int64_t bound) {
  VariableSum sum = sum_over_variables(std::move(terms));
  bound = checked_add(bound, sum.shift);
  for (WeightedLit& term : sum.terms) {
    if (term.coefficient > 0) continue;
    term = {checked_negate(term.coefficient), ~term.literal};
    bound = checked_add(bound, term.coefficient);
  }
  return {std::move(sum.terms), bound};
}

std::vector<AtLeastRow> at_least_rows(const LinearRow& row) {
  std::vector<AtLeastRow> rows;
  if (row.comparison != Comparison::at_most) rows.push_back(at_least_row(row.terms, row.bound));
  if (row.comparison != Comparison::at_least) {
    std::vector<WeightedLit> negated = row.terms;
    for (WeightedLit& term : negated) term.coefficient = checked_negate(term.coefficient);
    rows.push_back(at_least_row(std::move(negated), checked_negate(row.bound)));
  }
  return rows;
}

}  // namespace bnnplan::model
