#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/base/linear_row.hpp"

namespace bnnplan::model {

// The sum of the terms as  sum of coefficient * variable - shift: positive literals, sorted by variable, each
// variable once, no coefficient 0. Throws OverflowError if a number does not fit into 64 bits.
struct VariableSum {
  std::vector<WeightedLit> terms;
  std::int64_t shift = 0;
};
VariableSum sum_over_variables(std::vector<WeightedLit> terms);

// sum of coefficient * literal >= bound, with positive coefficients and distinct variables, sorted by
// variable: the form in which encodings and solvers take rows.
struct AtLeastRow {
  std::vector<WeightedLit> terms;
  std::int64_t bound = 0;
};

// A row of any form as one such row, or as two if it is an equation. Throws OverflowError.
std::vector<AtLeastRow> at_least_rows(const LinearRow& row);
AtLeastRow at_least_row(std::vector<WeightedLit> terms, std::int64_t bound);

}  // namespace bnnplan::model
