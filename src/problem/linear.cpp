// Linear constraints over the bits of one planning step, and their evaluation: the definition of what holds.
#include "bnnplan/problem/linear.hpp"

namespace bnnplan {

std::int64_t evaluate(std::span<const Term> terms, const StepValues& values) {
  std::int64_t sum = 0;
  for (const Term& term : terms) {
    if (values[term.bit] != 0) sum += term.coefficient;
  }
  return sum;
}

bool compare(std::int64_t value, Comparison comparison, std::int64_t bound) {
  switch (comparison) {
    case Comparison::at_most:
      return value <= bound;
    case Comparison::at_least:
      return value >= bound;
    case Comparison::equal:
      return value == bound;
  }
  __builtin_unreachable();
}

bool holds(const LinearConstraint& constraint, const StepValues& values) {
  return compare(evaluate(constraint.terms, values), constraint.comparison, constraint.bound);
}

}  // namespace bnnplan
