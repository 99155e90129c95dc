// The definition of a variable: one equation if it is linear, two rows if it is a linear form rounded down,
// gates if it is large; otherwise its table is covered by prime implicants (prime_cover.cpp), once for the
// ones and once for the zeros of each bit y of its value:
//
//   y or not cube   for every cube of a cover of the ones,     not y or not cube   for those of the zeros
//
// so that unit propagation alone derives y from its support. Rows of a table whose value does not fit into
// its bits count as both: such a step is impossible.
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/rddl/compile/prime_cover.hpp"
#include "bnnplan/rddl/compile/problem_compiler.hpp"
#include "bnnplan/rddl/ground/linear_form.hpp"

namespace bnnplan::rddl {

// Tables become clauses in two steps: rows are evaluated, then covered, twice for each bit. Which takes
// longer depends on how regular the table is.
Tabulation ProblemCompiler::tabulated(NodeId node, const std::vector<TableVariable>& inputs,
                                      const RowFilter& filter, const std::vector<Interval>& ranges) {
  const int bits = inputs.empty() ? 0 : inputs.back().first + inputs.back().bits;
  return tabulate(model_.nodes, node, inputs, filter, ranges, [&](std::size_t row) {
    report(bits, static_cast<double>(row) / static_cast<double>(std::size_t{1} << bits));
  });
}

// The values of an expression at legal steps: exact if it can be tabulated, otherwise by intervals.
Interval ProblemCompiler::range_of(NodeId node) {
  const auto inputs = support(node);
  if (!inputs) return evaluate_interval(model_.nodes, node, layout_.ranges);
  const Tabulation table = tabulated(node, *inputs, filter_for(*inputs), layout_.ranges);
  Interval range{false, {}, {}};
  for (std::size_t row = 0; row < table.values.size(); ++row) {
    if (!table.possible[row]) continue;
    const Rational value = make_rational(table.values[row]);
    range = {true, range.known ? std::min(range.low, value) : value,
             range.known ? std::max(range.high, value) : value};
  }
  return range.known ? range : point_interval(0);  // no step is legal
}

// The support of a node as inputs of a table; nothing if it has too many bits.
std::optional<std::vector<TableVariable>> ProblemCompiler::support(NodeId node) const {
  std::vector<TableVariable> inputs;
  int bits = 0;
  for (const std::uint32_t slot : slots_of(model_.nodes, node)) {
    const SlotVariable& variable = writer_.variable(slot);
    inputs.push_back({slot, bits, variable.bits, variable.twos_complement});
    bits += variable.bits;
    if (bits > options_.table_bits) return std::nullopt;
  }
  return inputs;
}

std::vector<TableVariable> ProblemCompiler::support_or_refuse(NodeId node, const SourcePlace& place,
                                                              std::string_view what) const {
  if (auto inputs = support(node)) return std::move(*inputs);
  int bits = 0;
  for (const std::uint32_t slot : slots_of(model_.nodes, node)) bits += writer_.variable(slot).bits;
  throw RddlError(place,
                  fmt::format("{} is not linear, and it depends on {} bits, too many to tabulate: expected "
                              "at most {} (interm-fluents for its parts help)",
                              what, bits, options_.table_bits));
}

RowFilter ProblemCompiler::filter_for(const std::vector<TableVariable>& inputs) const {
  std::vector<std::uint32_t> slots;
  for (const TableVariable& input : inputs) slots.push_back(input.slot);
  return step_conditions_.about(slots, layout_.ranges);
}

std::vector<Cube> ProblemCompiler::cover(const TruthTable& must, const TruthTable& may,
                                         const SourcePlace& place, std::string_view what) {
  report(must.inputs, 1);
  auto cubes = prime_cover(must, may, options_.clause_limit, [&] { report(must.inputs, 1); });
  if (!cubes) {
    throw RddlError(place, fmt::format("{} needs more than {} clauses", what, options_.clause_limit));
  }
  ++progress_.covered;
  std::sort(cubes->begin(), cubes->end());
  return std::move(*cubes);
}

void ProblemCompiler::write_definitions() {
  progress_.definitions = extras_.size();
  for (const GroundDefinition& definition : model_.order)
    progress_.definitions += writer_.has(definition.slot);
  for (const GroundDefinition& definition : model_.order) {
    const std::uint32_t slot = definition.slot;
    if (!writer_.has(slot)) continue;
    const GroundVariable& variable = model_.variable(slot);
    std::vector<bool> skipped(static_cast<std::size_t>(writer_.variable(slot).bits), false);
    if (slot >= model_.first_next()) {
      const auto first = layout_.state.first_bit[slot - model_.first_next()];
      for (std::size_t b = 0; b < skipped.size(); ++b) skipped[b] = learned_[first + b];
    }
    define(slot, definition.node, skipped, variable.place, fmt::format("the cpf of '{}'", variable.name));
  }
  for (std::size_t i = 0; i < extras_.size(); ++i) {  // the loop may add more gates
    const Extra extra = extras_[i];
    const std::size_t bits = static_cast<std::size_t>(writer_.variable(extra.slot).bits);
    define(extra.slot, extra.node, std::vector<bool>(bits, false), model_.nodes.place(extra.node),
           fmt::format("'{}'", writer_.variable(extra.slot).name));
  }
}

void ProblemCompiler::define(std::uint32_t target, NodeId node, const std::vector<bool>& skipped,
                             const SourcePlace& place, const std::string& what) {
  ++progress_.definition;
  begin(place, what);
  if (std::find(skipped.begin(), skipped.end(), false) == skipped.end()) return;
  const bool whole = std::find(skipped.begin(), skipped.end(), true) == skipped.end();
  if (whole && (define_linear(target, node) || define_rounded(target, node))) return;
  if (whole && !support(node)) return with_place(place, [&] { gates_.define(target, node); });
  const std::vector<TableVariable> inputs = support_or_refuse(node, place, what);
  const Tabulation table = tabulated(node, inputs, filter_for(inputs), layout_.ranges);
  const SlotVariable& variable = writer_.variable(target);
  const std::int64_t low = lowest_value(variable), high = highest_value(variable);
  progress_.covers = 2 * static_cast<int>(std::count(skipped.begin(), skipped.end(), false));
  for (int b = 0; b < variable.bits; ++b) {
    if (skipped[static_cast<std::size_t>(b)]) continue;
    for (const bool value : {true, false}) {
      TruthTable must(table.inputs), may(table.inputs);
      for (std::size_t row = 0; row < must.rows(); ++row) {
        const bool fits = table.values[row] >= low && table.values[row] <= high;
        const bool here = !fits || ((table.values[row] >> b & 1) != 0) == value;
        if (table.possible[row] && here) must.set(row);
        if (!table.possible[row] || here) may.set(row);
      }
      for (const Cube& cube : cover(must, may, place, what)) {
        std::vector<ProblemWriter::Literal> literals = {{{target, b}, value}};
        const auto excluding = writer_.excluding(table, cube);
        literals.insert(literals.end(), excluding.begin(), excluding.end());
        writer_.clause(Section::transitions, literals);
      }
    }
  }
}

bool ProblemCompiler::define_linear(std::uint32_t target, NodeId node) {
  try {
    const auto form = linear_form(model_.nodes, node);
    if (!form || !is_integer(form->constant)) return false;
    for (const auto& [slot, coefficient] : form->terms) {
      if (!is_integer(coefficient)) return false;
    }
    writer_.equation(Section::transitions, target, *form);
    return true;
  } catch (const OverflowError&) {
    return false;
  }
}

// A linear form rounded down: target <= form < target + 1.
bool ProblemCompiler::define_rounded(std::uint32_t target, NodeId node) {
  if (model_.nodes[node].operation != Operation::floor) return false;
  try {
    auto form = linear_form(model_.nodes, model_.nodes.operands(node)[0]);
    if (!form) return false;
    form->add({{{target, make_rational(1)}}, {}}, make_rational(-1));
    const LinearForm below = without_fractions(*form) * make_rational(-1);
    writer_.comparison(Section::transitions, {below, FormComparison::at_most_zero});
    form->constant = form->constant - make_rational(1);
    writer_.comparison(Section::transitions, {*form, FormComparison::below_zero});
    return true;
  } catch (const OverflowError&) {
    return false;
  }
}

}  // namespace bnnplan::rddl
