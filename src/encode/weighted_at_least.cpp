// The normal form of linear rows for encodings, so that each has one case to handle. Starting from sum >=
// bound with positive coefficients (model/at_least_row.cpp):
//
//   A coefficient above the bound is as good as the bound ("saturation"), which keeps the 0-1 solutions.
//   A common divisor g of all coefficients: divide, and round the bound up.
//
// Saturation can create a new common divisor, and division can make new coefficients reach the bound, so the
// two are repeated until nothing changes. 2 x + 2 y + 3 z >= 2 ends as x + y + z >= 1, a clause.
//
// If the sum of all coefficients equals the bound, everything is forced; it becomes a cardinality constraint
// with bound n, since "all true" is then the only solution.

#include "bnnplan/encode/weighted_at_least.hpp"

#include <algorithm>
#include <numeric>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::encoding {

namespace {

// Makes coefficients at most the bound, and without a common divisor. Requires bound > 0.
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

WeightedAtLeast normalise(model::AtLeastRow row) {
  auto& [terms, bound] = row;
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
  for (model::AtLeastRow& half : model::at_least_rows(row)) result.push_back(normalise(std::move(half)));
  return result;
}

std::vector<SumTerm> sum_terms(const WeightedAtLeast& constraint) {
  std::vector<SumTerm> terms;
  terms.reserve(constraint.terms.size());
  for (const auto& [coefficient, literal] : constraint.terms)
    terms.push_back({literal, static_cast<std::uint64_t>(coefficient)});
  return terms;
}

}  // namespace bnnplan::encoding
