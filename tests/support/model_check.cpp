// The definition of a solution of a 0-1 model, executed.
#include "support/model_check.hpp"

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::testing {

namespace {

bool is_true(const BitValues& values, Lit lit) { return (values[lit.var().index] != 0) != lit.negated(); }

bool holds(const LinearRow& row, const BitValues& values) {
  std::int64_t sum = 0;
  for (const WeightedLit& term : row.terms) sum += is_true(values, term.literal) ? term.coefficient : 0;
  switch (row.comparison) {
    case Comparison::at_most:
      return sum <= row.bound;
    case Comparison::at_least:
      return sum >= row.bound;
    case Comparison::equal:
      return sum == row.bound;
  }
  __builtin_unreachable();
}

bool holds(const ReifiedAtLeast& neuron, const BitValues& values) {
  std::int32_t count = 0;
  for (const Lit lit : neuron.inputs) count += is_true(values, lit) ? 1 : 0;
  return (count >= neuron.threshold) == is_true(values, neuron.output);
}

std::string row_text(const model::ZeroOneModel& model, const LinearRow& row) {
  std::string text;
  for (std::size_t i = 0; i < row.terms.size(); ++i) {
    if (i == 12) {
      text += " ...";
      break;
    }
    const WeightedLit& term = row.terms[i];
    text += fmt::format("{}{} {}{}", i == 0 ? "" : " + ", term.coefficient, term.literal.negated() ? "~" : "",
                        printable(model::variable_name(model, term.literal.var())));
  }
  static constexpr std::string_view symbols[] = {"<=", ">=", "=="};
  return fmt::format("{} {} {}", text, symbols[static_cast<int>(row.comparison)], row.bound);
}

}  // namespace

AssignmentCheck check_assignment(const model::ZeroOneModel& model, const BitValues& values) {
  AssignmentCheck result;
  for (std::uint32_t v = 0; v < model.layout.variable_count(); ++v) {
    if (v < values.size() && values[v] != unknown_bit) continue;
    result.violation = fmt::format("{} has no value", printable(model::variable_name(model, {v})));
    return result;
  }
  for (const model::ModelRow& entry : model.rows) {
    if (holds(entry.row, values)) continue;
    result.violation =
        fmt::format("{}: {} is violated", model::part_name(entry.part), row_text(model, entry.row));
    return result;
  }
  for (const model::ModelNeuron& entry : model.neurons) {
    if (holds(entry.neuron, values)) continue;
    result.violation = fmt::format("{} does not follow from its inputs",
                                   printable(model::variable_name(model, entry.neuron.output.var())));
    return result;
  }
  result.objective = model.offset;
  for (const WeightedLit& term : model.objective)
    result.objective += is_true(values, term.literal) ? term.coefficient : 0;
  result.accepted = true;
  return result;
}

}  // namespace bnnplan::testing
