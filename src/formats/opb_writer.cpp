// OPB, the format of the pseudo-Boolean competitions:
//
//   * #variable= 5 #constraint= 2
//   min: +1 x1 +2 x3 ;
//   +1 x1 +1 x2 -2 x3 >= 0 ;
//
// The syntax has no <=: such rows are written with all signs turned. Numbers of variables and constraints are
// exact; constraints are numbered as proofs count them, in this order.
#include "formats/opb_writer.hpp"

#include <fmt/format.h>

#include "formats/objective_comment.hpp"
#include "formats/plain_row.hpp"

namespace bnnplan {

namespace {

void write_terms(const std::vector<std::pair<std::int64_t, Var>>& terms, std::int64_t sign,
                 OutputFile& file) {
  for (const auto& [coefficient, variable] : terms) {
    const std::int64_t signed_coefficient = sign * coefficient;
    if (signed_coefficient >= 0) file.write('+');
    file.write(signed_coefficient);
    file.write(" x");
    file.write(std::int64_t{variable.index} + 1);
    file.write(' ');
  }
}

}  // namespace

void write_opb(const ZeroOneModel& model, OutputFile& file) {
  std::int64_t rows = 0;
  for_each_plain_row(model, [&](const PlainRow&) { ++rows; });
  const PlainObjective objective = plain_objective(model);
  file.write(fmt::format("* #variable= {} #constraint= {}\n", model.layout.variable_count(), rows));
  file.write(header_comment(model, objective.offset, "* "));
  if (!objective.terms.empty()) {
    file.write("min: ");
    write_terms(objective.terms, 1, file);
    file.write(";\n");
  }
  for_each_plain_row(model, [&](const PlainRow& row) {
    const std::int64_t sign = row.comparison == Comparison::at_most ? -1 : 1;
    write_terms(row.terms, sign, file);
    // An empty sum is not in the syntax: a constant row says it with a variable that does not matter.
    if (row.terms.empty()) file.write("+0 x1 ");
    file.write(row.comparison == Comparison::equal ? "= " : ">= ");
    file.write(sign * row.bound);
    file.write(" ;\n");
  });
}

}  // namespace bnnplan
