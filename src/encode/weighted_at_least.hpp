#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/base/linear_row.hpp"
#include "bnnplan/encode/weighted_sum.hpp"
#include "bnnplan/model/at_least_row.hpp"

namespace bnnplan::encoding {

// The normal form of a linear row: sum >= bound with 1 <= coefficient <= bound, largest coefficients first,
// distinct variables, and coefficients without a common divisor. No terms means a constant: true if bound <=
// 0, otherwise false.
struct WeightedAtLeast {
  std::vector<WeightedLit> terms;
  std::int64_t bound = 0;

  bool is_true() const { return bound <= 0; }
  bool is_false() const { return terms.empty() && bound > 0; }
  // All coefficients are 1, so it is "at least bound of the literals".
  bool is_cardinality() const { return !terms.empty() && terms.front().coefficient == 1; }
};

// The normal form of sum >= bound; throws OverflowError if a sum does not fit into 64 bits.
WeightedAtLeast normalise(model::AtLeastRow row);

// The same for any comparison: one constraint, or two for an equation.
std::vector<WeightedAtLeast> normalise(const LinearRow& row);

// The left-hand side.
std::vector<SumTerm> sum_terms(const WeightedAtLeast& constraint);

}  // namespace bnnplan::encoding
