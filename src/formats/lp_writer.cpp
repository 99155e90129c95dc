// The LP format. Lines are kept short, because readers limit their length; an empty objective is written as 0
// x1, because some readers refuse an empty one, and only variables that occur are declared, because some
// readers refuse the others (a solver's answer does not mention them, and any value will do).
#include "bnnplan/formats/lp_writer.hpp"

#include <vector>

#include "bnnplan/formats/objective_comment.hpp"
#include "bnnplan/model/plain_row.hpp"

namespace bnnplan::formats {

namespace {

constexpr std::size_t per_line = 10;

// Marks the variables it mentions.
void write_terms(const std::vector<std::pair<std::int64_t, Var>>& terms, OutputFile& file,
                 std::vector<bool>& occurs) {
  if (terms.empty()) {
    file.write(" 0 x1");
    occurs[0] = true;
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (i % per_line == 0 && i > 0) file.write("\n ");
    const auto& [coefficient, variable] = terms[i];
    file.write(coefficient < 0 ? " - " : " + ");
    file.write(coefficient < 0 ? -coefficient : coefficient);
    file.write(" x");
    file.write(std::int64_t{variable.index} + 1);
    occurs[variable.index] = true;
  }
}

}  // namespace

void write_lp(const model::ZeroOneModel& model, OutputFile& file) {
  const model::PlainObjective objective = model::plain_objective(model);
  std::vector<bool> occurs(model.layout.variable_count(), false);
  file.write(header_comment(model, objective.offset, "\\ "));
  file.write("Minimize\n obj:");
  write_terms(objective.terms, file, occurs);
  file.write("\nSubject To\n");
  std::int64_t number = 0;
  model::for_each_plain_row(model, [&](const model::PlainRow& row) {
    file.write(" c");
    file.write(++number);
    file.write(':');
    write_terms(row.terms, file, occurs);
    file.write(row.comparison == Comparison::at_most    ? " <= "
               : row.comparison == Comparison::at_least ? " >= "
                                                        : " = ");
    file.write(row.bound);
    file.write('\n');
  });
  file.write("Binary\n");
  std::size_t declared = 0;
  for (std::size_t v = 0; v < occurs.size(); ++v) {
    if (!occurs[v]) continue;
    file.write(" x");
    file.write(static_cast<std::int64_t>(v) + 1);
    if (++declared % per_line == 0) file.write('\n');
  }
  file.write("\nEnd\n");
}

}  // namespace bnnplan::formats
