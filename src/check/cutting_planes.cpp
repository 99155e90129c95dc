// Cutting planes (Cook, Coullard and Turan, 1987), over sums of literals with positive coefficients:
//
//   sum           adding two constraints; a x + b ~x is (a - b) x + b
//   product       by a positive number
//   division      every number is divided and rounded up: a literal is 0 or 1, so the left-hand side can
//                 only grow, and a sum of whole numbers that reaches a fraction reaches the next number
//   saturation    no literal counts for more than the bound, since one is then enough
//   weakening     an omitted literal counts as true
#include "bnnplan/check/cutting_planes.hpp"

#include <algorithm>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::checking {

PbConstraint sum_of(const PbConstraint& a, const PbConstraint& b) {
  std::vector<PbConstraint::Term> terms = a.terms;
  terms.insert(terms.end(), b.terms.begin(), b.terms.end());
  return normal_constraint(terms, checked_add(a.bound, b.bound));
}

PbConstraint multiplied(PbConstraint constraint, std::int64_t factor) {
  for (PbConstraint::Term& term : constraint.terms)
    term.coefficient = checked_multiply(term.coefficient, factor);
  constraint.bound = checked_multiply(constraint.bound, factor);
  return constraint;
}

PbConstraint divided_up(PbConstraint constraint, std::int64_t divisor) {
  const auto up = [divisor](std::int64_t number) {
    return number / divisor + (number > 0 && number % divisor != 0 ? 1 : 0);  // '/' rounds towards 0
  };
  for (PbConstraint::Term& term : constraint.terms) term.coefficient = up(term.coefficient);
  constraint.bound = up(constraint.bound);
  return constraint;
}

PbConstraint saturated(PbConstraint constraint) {
  if (constraint.bound <= 0) return {};
  for (PbConstraint::Term& term : constraint.terms)
    term.coefficient = std::min(term.coefficient, constraint.bound);
  return constraint;
}

PbConstraint weakened(PbConstraint constraint, Var variable) {
  const auto found = std::find_if(constraint.terms.begin(), constraint.terms.end(),
                                  [&](const auto& term) { return term.literal.var() == variable; });
  if (found == constraint.terms.end()) return constraint;
  constraint.bound = checked_add(constraint.bound, checked_negate(found->coefficient));
  constraint.terms.erase(found);
  return constraint;
}

}  // namespace bnnplan::checking
