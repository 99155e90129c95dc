// OPB, the format of the pseudo-Boolean competitions:
//
//   * #variable= 5 #constraint= 2 * #equal= 0 intsize= 3
//   min: +1 x1 +2 x3 ;
//   +1 x1 +1 x2 -2 x3 >= 0 ;
//
// The syntax has no <=: such rows are written with all signs flipped. The numbers of variables and
// constraints are exact; constraints are numbered in this order, as in proofs. #equal counts the equations
// among them, and intsize is the number of bits of the largest sum of a row or the objective: solvers choose
// their arithmetic by it. clasp 3.3 refuses these two unless they look like a separate comment, hence the
// second *; readers that look for the words in the first line still find them.
#include "bnnplan/formats/opb_writer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/formats/objective_comment.hpp"
#include "bnnplan/model/plain_row.hpp"

namespace bnnplan::formats {

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

// The largest possible sum of a line: of the magnitudes of its coefficients, or its bound.
using Magnitude = unsigned __int128;

Magnitude magnitude(std::int64_t number) {
  return number < 0 ? -static_cast<Magnitude>(number) : static_cast<Magnitude>(number);
}

Magnitude largest_sum(const std::vector<std::pair<std::int64_t, Var>>& terms, std::int64_t bound) {
  Magnitude sum = 0;
  for (const auto& [coefficient, variable] : terms) sum += magnitude(coefficient);
  return std::max(sum, magnitude(bound));
}

int bits_of(Magnitude number) {
  int bits = 0;
  for (; number != 0; number >>= 1) ++bits;
  return bits;
}

}  // namespace

void write_opb(const model::ZeroOneModel& model, OutputFile& file) {
  const model::PlainObjective objective = model::plain_objective(model);
  std::int64_t rows = 0, equations = 0;
  Magnitude largest = largest_sum(objective.terms, 0);
  model::for_each_plain_row(model, [&](const model::PlainRow& row) {
    ++rows;
    equations += row.comparison == Comparison::equal ? 1 : 0;
    largest = std::max(largest, largest_sum(row.terms, row.bound));
  });
  file.write(fmt::format("* #variable= {} #constraint= {} * #equal= {} intsize= {}\n",
                         model.layout.variable_count(), rows, equations, bits_of(largest)));
  file.write(header_comment(model, objective.offset, "* "));
  if (!objective.terms.empty()) {
    file.write("min: ");
    write_terms(objective.terms, 1, file);
    file.write(";\n");
  }
  model::for_each_plain_row(model, [&](const model::PlainRow& row) {
    const std::int64_t sign = row.comparison == Comparison::at_most ? -1 : 1;
    write_terms(row.terms, sign, file);
    // The syntax has no empty sum: a constant row uses a variable with coefficient 0.
    if (row.terms.empty()) file.write("+0 x1 ");
    file.write(row.comparison == Comparison::equal ? "= " : ">= ");
    file.write(sign * row.bound);
    file.write(" ;\n");
  });
}

}  // namespace bnnplan::formats
