// Definitions of new variables. A definition of y has two halves, with a sum S of literals of other variables
// whose coefficients add up to T:
//
//   S + a ~y >= b        a >= b: y = 0 satisfies it, y = 1 means S >= b
//   T - S + c y >= d     c >= d: y = 1 satisfies it, y = 0 means T - S >= d
//
// Whatever the others are, y has a value that satisfies both, if S >= b or T - S >= d: if b + d <= T + 1. So
// every assignment of the variables before y can be extended to y, and adding both halves neither removes nor
// falsifies any statement about them. (y may be the negated one of the two; a half may come first or second.)
#include "bnnplan/check/definition.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::checking {

namespace {

std::string name_of(Var variable) { return fmt::format("x{}", std::int64_t{variable.index} + 1); }

std::vector<PbConstraint::Term> others(const DefinitionHalf& half) {
  std::vector<PbConstraint::Term> terms;
  for (const PbConstraint::Term& term : half.constraint.terms) {
    if (term.literal.var() != half.variable) terms.push_back(term);
  }
  return terms;
}

}  // namespace

std::string flaw_of_half(const DefinitionHalf& half) {
  for (const auto& [coefficient, literal] : half.constraint.terms) {
    if (literal.var() != half.variable) continue;
    if (literal.negated() != half.value && coefficient >= half.constraint.bound) return "";
    return fmt::format("{} -> {} does not satisfy the constraint", name_of(half.variable),
                       half.value ? 1 : 0);
  }
  return fmt::format("the constraint does not mention {}", name_of(half.variable));
}

std::string flaw_of_pair(const DefinitionHalf& first, const DefinitionHalf& second) {
  std::string expected =
      fmt::format("expected the other half of the definition of {}", name_of(first.variable));
  if (second.variable != first.variable || second.value == first.value) return expected;
  const auto terms = others(first), opposite = others(second);
  const bool same = std::equal(
      terms.begin(), terms.end(), opposite.begin(), opposite.end(),
      [](const auto& a, const auto& b) { return a.coefficient == b.coefficient && a.literal == ~b.literal; });
  if (!same) return expected + ", with all other literals negated";
  std::int64_t total = 0;
  for (const auto& term : terms) total = checked_add(total, term.coefficient);
  if (checked_add(first.constraint.bound, second.constraint.bound) > checked_add(total, 1))
    return fmt::format("there may be no value of {} that satisfies both halves", name_of(first.variable));
  return "";
}

}  // namespace bnnplan::checking
