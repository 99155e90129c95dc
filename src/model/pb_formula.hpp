#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/model/at_least_row.hpp"

namespace bnnplan::model {

// A pseudo-Boolean problem: rows in normal form (an equation is two) and an objective to minimise over
// variables x1, x2, ... The checker has its own (check/pb_formula.hpp).
struct PbFormula {
  std::uint32_t variables = 0;
  std::vector<AtLeastRow> constraints;
  std::vector<WeightedLit> objective;  // any coefficients and literals, also repeated
  bool has_objective = false;

  // Adds terms in any form >= bound. Throws OverflowError if sums of them do not fit into 64 bits.
  void add(std::vector<WeightedLit> terms, std::int64_t bound);
};

std::vector<WeightedLit> negated(std::vector<WeightedLit> terms);  // all coefficients

// The evaluation of a formula; every variable must have a value.
struct PbValues {
  std::optional<std::size_t> violated;  // the number, from 1, of the first violated constraint
  std::int64_t objective = 0;           // 0 if there is none
};
PbValues evaluate(const PbFormula& formula, const BitValues& values);

}  // namespace bnnplan::model
