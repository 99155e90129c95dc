#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::model {

// A row over variables only, without negated literals, as in OPB, LP and MPS. Terms are sorted by variable,
// each variable once, no zero coefficient, no common divisor.
struct PlainRow {
  std::vector<std::pair<std::int64_t, Var>> terms;
  Comparison comparison = Comparison::at_least;
  std::int64_t bound = 0;
};

PlainRow plain_row(const LinearRow& row);

// A neuron "y <-> at least k of n literals" as two rows:
//   y -> sum >= k:       sum l_i - k y           >= 0
//   not y -> sum <= k-1: sum l_i - (n - k + 1) y <= k - 1
// Constant neurons (k <= 0, k > n) are one row that fixes the output.
std::vector<PlainRow> plain_rows(const ReifiedAtLeast& neuron);

// The objective over variables only: the minimised value is the sum of the terms, and (value + offset) /
// 10^decimals is the cost.
struct PlainObjective {
  std::vector<std::pair<std::int64_t, Var>> terms;
  std::int64_t offset = 0;
};
PlainObjective plain_objective(const ZeroOneModel& model);

// All rows of a model in the order that every format, and every proof about it, uses: rows, then neurons.
void for_each_plain_row(const ZeroOneModel& model, const std::function<void(const PlainRow&)>& visit);

}  // namespace bnnplan::model
