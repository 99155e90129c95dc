#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "bnnplan/rddl/compile/step_conditions.hpp"
#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/ground/ground.hpp"

namespace bnnplan::rddl {

// A variable as bits of a table: bit b of its value is input first + b. Negative numbers in two's complement.
struct TableVariable {
  std::uint32_t slot = 0;
  int first = 0;
  int bits = 1;
  bool twos_complement = false;
};

// The values of an expression for all assignments to the bits it depends on.
struct Tabulation {
  int inputs = 0;
  std::vector<TableVariable> variables;
  std::vector<std::int64_t> values;  // one per row; 0 if the row is impossible
  std::vector<bool> possible;        // rows that can occur at a legal step
};

// Evaluates `node` for all assignments to `variables` (which are all that it depends on). A row is impossible
// if a value is outside of its range or the filter rejects it; it is not evaluated. Throws RddlError if a
// possible row cannot be evaluated.
// Calls `tick` regularly with the number of rows that are done; it may throw to end the work.
Tabulation tabulate(const NodePool& pool, NodeId node, std::vector<TableVariable> variables,
                    const RowFilter& filter, std::span<const Interval> ranges,
                    const std::function<void(std::size_t)>& tick = {});

}  // namespace bnnplan::rddl
