// Transition tables: an expression evaluated for every assignment to its support, 2^n rows. Rows that no
// legal step can reach are don't-cares, which keeps the covers of these tables small: with at most one move
// at a time, "moves up" need not add "and in no other direction".
#include "bnnplan/rddl/compile/tabulate.hpp"

#include "bnnplan/base/checked.hpp"

namespace bnnplan::rddl {

namespace {

std::int64_t value_in_row(const TableVariable& variable, std::size_t row) {
  const auto bits =
      static_cast<std::int64_t>(row >> variable.first & ((std::size_t{1} << variable.bits) - 1));
  const std::int64_t sign = std::int64_t{1} << (variable.bits - 1);
  return variable.twos_complement && (bits & sign) != 0 ? bits - 2 * sign : bits;
}

}  // namespace

Tabulation tabulate(const NodePool& pool, NodeId node, std::vector<TableVariable> variables,
                    const RowFilter& filter, std::span<const Interval> ranges,
                    const std::function<void(std::size_t)>& tick) {
  constexpr std::size_t rows_between_ticks = 1024;
  Tabulation table;
  for (const TableVariable& variable : variables) table.inputs += variable.bits;
  const std::size_t rows = std::size_t{1} << table.inputs;
  table.values.assign(rows, 0);
  table.possible.assign(rows, false);
  std::vector<std::int64_t> values(ranges.size(), 0);
  std::vector<Interval> intervals(ranges.begin(), ranges.end());
  for (std::size_t row = 0; row < rows; ++row) {
    if (tick && row % rows_between_ticks == 0) tick(row);
    bool possible = true;
    for (const TableVariable& variable : variables) {
      const std::int64_t value = value_in_row(variable, row);
      values[variable.slot] = value;
      intervals[variable.slot] = point_interval(value);
      const Interval& range = ranges[variable.slot];
      possible = possible &&
                 !(range.known && (make_rational(value) < range.low || make_rational(value) > range.high));
    }
    possible = possible && !filter.impossible(pool, values, intervals);
    if (!possible) continue;
    table.possible[row] = true;
    try {
      table.values[row] = evaluate_integer_unplaced(pool, node, values, nullptr);
    } catch (const OverflowError&) {
      throw RddlError(
          pool.place(node),
          "compiling this needs fractions of more than 64 bits: expected numbers with fewer digits, smaller "
          "ranges, or a coarser " +
              option_name("precision") + " of reals");
    }
  }
  table.variables = std::move(variables);
  return table;
}

}  // namespace bnnplan::rddl
