// Pseudo-Boolean problems as data: how rows are added, and what values give.
#include "bnnplan/model/pb_formula.hpp"

#include <cassert>
#include <utility>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::model {

void PbFormula::add(std::vector<WeightedLit> terms, std::int64_t bound) {
  AtLeastRow row = at_least_row(std::move(terms), bound);
  // Solvers add up the coefficients and subtract the bound.
  std::int64_t sum = checked_negate(row.bound);
  for (const WeightedLit& term : row.terms) sum = checked_add(sum, term.coefficient);
  checked_add(sum, row.bound);
  constraints.push_back(std::move(row));
}

std::vector<WeightedLit> negated(std::vector<WeightedLit> terms) {
  for (WeightedLit& term : terms) term.coefficient = checked_negate(term.coefficient);
  return terms;
}

PbValues evaluate(const PbFormula& formula, const BitValues& values) {
  assert(values.size() == formula.variables);
  const auto sum_of = [&](const std::vector<WeightedLit>& terms) {
    std::int64_t sum = 0;
    for (const auto& [coefficient, literal] : terms) {
      if ((values[literal.var().index] != 0) != literal.negated()) sum = checked_add(sum, coefficient);
    }
    return sum;
  };
  PbValues result;
  for (std::size_t i = 0; i < formula.constraints.size() && !result.violated; ++i) {
    if (sum_of(formula.constraints[i].terms) < formula.constraints[i].bound) result.violated = i + 1;
  }
  result.objective = sum_of(formula.objective);
  return result;
}

}  // namespace bnnplan::model
