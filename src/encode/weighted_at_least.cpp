// Linear rows in one normal form, so that every encoding has one case to handle.
//
//   at most b is at least -b with negated coefficients; an equation is both.
//   -a x = a (not x) - a makes coefficients positive and moves the rest into the bound.
//   A coefficient above the bound is as good as the bound ("saturation"), which keeps the 0-1 solutions.
//   A common divisor g of all coefficients: divide, and round the bound up.
// Saturation can make a new common divisor, and dividing can make new coefficients reach the bound, so the
// two are repeated until nothing changes. 2 x + 2 y + 3 z >= 2 ends as x + y + z >= 1, a clause.
//
// If the sum of all coefficients equals the bound everything is forced; it comes out as a cardinality
// constraint with bound n, since then only "all true" is a solution.

#include "encode/weighted_at_least.hpp"

#include <algorithm>
#include <numeric>

#include "base/checked.hpp"

namespace bnnplan {

namespace {

// One term for each variable, with positive coefficients; the bound changes with them.
void collect(std::vector<WeightedLit>& terms, std::int64_t& bound) {
  std::sort(terms.begin(), terms.end(),
            [](const WeightedLit& a, const WeightedLit& b) { return a.literal < b.literal; });
  std::vector<WeightedLit> collected;
  for (std::size_t i = 0; i < terms.size();) {
    const Var variable = terms[i].literal.var();
    std::int64_t coefficient = 0;  // of the positive literal
    for (; i < terms.size() && terms[i].literal.var() == variable; ++i) {
      if (terms[i].literal.negated()) {
        coefficient = checked_add(coefficient, checked_negate(terms[i].coefficient));
        bound = checked_add(bound, checked_negate(terms[i].coefficient));
      } else {
        coefficient = checked_add(coefficient, terms[i].coefficient);
      }
    }
    if (coefficient > 0) {
      collected.push_back({coefficient, Lit::positive(variable)});
    } else if (coefficient < 0) {
      bound = checked_add(bound, checked_negate(coefficient));
      collected.push_back({checked_negate(coefficient), Lit::negative(variable)});
    }
  }
  terms = std::move(collected);
}

// Coefficients at most the bound, and without a common divisor. Requires bound > 0.
void saturate_and_divide(std::vector<WeightedLit>& terms, std::int64_t& bound) {
  for (;;) {
    std::int64_t divisor = 0;
    for (WeightedLit& term : terms) {
      term.coefficient = std::min(term.coefficient, bound);
      divisor = std::gcd(divisor, term.coefficient);
    }
    if (divisor <= 1) return;
    for (WeightedLit& term : terms) term.coefficient /= divisor;
    bound = (bound - 1) / divisor + 1;
  }
}

}  // namespace

WeightedAtLeast normalise_at_least(std::span<const WeightedLit> given, std::int64_t bound) {
  std::vector<WeightedLit> terms(given.begin(), given.end());
  collect(terms, bound);
  if (bound <= 0) return {{}, 0};
  saturate_and_divide(terms, bound);
  std::int64_t sum = 0;
  for (const WeightedLit& term : terms) sum = checked_add(sum, term.coefficient);
  if (sum < bound) return {{}, 1};
  if (sum == bound) {
    for (WeightedLit& term : terms) term.coefficient = 1;
    bound = static_cast<std::int64_t>(terms.size());
  }
  std::stable_sort(terms.begin(), terms.end(),
                   [](const WeightedLit& a, const WeightedLit& b) { return a.coefficient > b.coefficient; });
  return {std::move(terms), bound};
}

std::vector<WeightedAtLeast> normalise(const LinearRow& row) {
  std::vector<WeightedAtLeast> result;
  if (row.comparison != Comparison::at_most) {
    result.push_back(normalise_at_least(row.terms, row.bound));
  }
  if (row.comparison != Comparison::at_least) {
    std::vector<WeightedLit> negated = row.terms;
    for (WeightedLit& term : negated) term.coefficient = checked_negate(term.coefficient);
    result.push_back(normalise_at_least(negated, checked_negate(row.bound)));
  }
  return result;
}

}  // namespace bnnplan
