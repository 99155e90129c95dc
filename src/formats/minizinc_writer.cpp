// MiniZinc: neurons stay reified sums, x[7] = 1 <-> x[1] + (1 - x[2]) + ... >= 3, for solvers that propagate
// them.
#include "bnnplan/formats/minizinc_writer.hpp"

#include <fmt/format.h>

#include "bnnplan/formats/objective_comment.hpp"
#include "bnnplan/model/plain_row.hpp"

namespace bnnplan::formats {

namespace {

void write_sum(const std::vector<std::pair<std::int64_t, Var>>& terms, OutputFile& file) {
  if (terms.empty()) file.write('0');
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto& [coefficient, variable] = terms[i];
    const std::int64_t magnitude = coefficient < 0 ? -coefficient : coefficient;
    if (i > 0 || coefficient < 0) file.write(coefficient < 0 ? " - " : " + ");
    if (magnitude != 1) {
      file.write(magnitude);
      file.write('*');
    }
    file.write("x[");
    file.write(std::int64_t{variable.index} + 1);
    file.write(']');
  }
}

void write_comparison(const model::PlainRow& row, OutputFile& file) {
  write_sum(row.terms, file);
  file.write(row.comparison == Comparison::at_most    ? " <= "
             : row.comparison == Comparison::at_least ? " >= "
                                                      : " = ");
  file.write(row.bound);
}

// Branch on the variables that determine all others, in temporal order: the initial state, then each step's
// actions and auxiliary variables. Otherwise solvers without learning wander among the neurons.
void write_search(const model::ModelLayout& layout, OutputFile& file) {
  bool first = true;
  const auto list = [&](Var v) {
    file.write(first ? "x[" : ", x[");
    file.write(std::int64_t{v.index} + 1);
    file.write(']');
    first = false;
  };
  file.write(":: int_search([");
  for (std::uint32_t b = 0; b < layout.state_bits; ++b) list(layout.state(1, b));
  for (std::int32_t t = 1; t <= layout.horizon; ++t) {
    for (std::uint32_t b = 0; b < layout.action_bits; ++b) list(layout.action(t, b));
    for (std::uint32_t b = 0; b < layout.auxiliary_bits; ++b) list(layout.auxiliary(t, b));
  }
  file.write("], input_order, indomain_min) ");
}

}  // namespace

void write_minizinc(const model::ZeroOneModel& model, OutputFile& file) {
  const model::PlainObjective objective = model::plain_objective(model);
  file.write(header_comment(model, objective.offset, "% "));
  file.write(fmt::format("array[1..{}] of var 0..1: x;\n", model.layout.variable_count()));
  for (const model::ModelRow& entry : model.rows) {
    file.write("constraint ");
    write_comparison(model::plain_row(entry.row), file);
    file.write(";\n");
  }
  for (const model::ModelNeuron& entry : model.neurons) {
    LinearRow row{{}, Comparison::at_least, entry.neuron.threshold};
    for (const Lit lit : entry.neuron.inputs) row.terms.push_back({1, lit});
    file.write("constraint x[");
    file.write(std::int64_t{entry.neuron.output.var().index} + 1);
    file.write(entry.neuron.output.negated() ? "] = 0 <-> " : "] = 1 <-> ");
    write_comparison(model::plain_row(row), file);
    file.write(";\n");
  }
  file.write("solve ");
  write_search(model.layout, file);
  if (objective.terms.empty()) {
    file.write("satisfy");
  } else {
    file.write("minimize ");
    write_sum(objective.terms, file);
  }
  file.write(";\noutput [\"v \", join(\" \", [show(fix(e)) | e in x]), \"\\n\"];\n");
}

}  // namespace bnnplan::formats
