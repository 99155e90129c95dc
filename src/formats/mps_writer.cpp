// MPS lists a matrix column by column, so the rows are transposed first: this is the only writer that holds
// the whole matrix, 16 bytes per entry. The fields are in the columns of the fixed format, which some readers
// insist on, and contain no blanks, so the file is valid free format as well.
#include "bnnplan/formats/mps_writer.hpp"

#include <fmt/format.h>

#include "bnnplan/formats/objective_comment.hpp"
#include "bnnplan/model/plain_row.hpp"

namespace bnnplan::formats {

namespace {

struct Entry {
  std::int64_t coefficient;
  std::uint32_t row;  // 0 is the objective
};

void write_padded(std::string_view letter, std::int64_t number, OutputFile& file) {
  constexpr std::size_t width = 8;
  file.write(
      fmt::format("{:<{}}", number > 0 ? fmt::format("{}{}", letter, number) : std::string(letter), width));
}

// Fields begin in columns 5, 15 and 25.
void write_entry(std::string_view column, std::int64_t index, const Entry& entry, OutputFile& file) {
  file.write("    ");
  write_padded(column, index, file);
  file.write("  ");
  write_padded(entry.row == 0 ? "obj" : "c", entry.row, file);
  file.write("  ");
  file.write(entry.coefficient);
  file.write('\n');
}

}  // namespace

void write_mps(const model::ZeroOneModel& model, OutputFile& file) {
  const std::uint32_t variables = model.layout.variable_count();
  const model::PlainObjective objective = model::plain_objective(model);
  std::vector<std::vector<Entry>> columns(variables);
  std::vector<std::int64_t> bounds{0};
  for (const auto& [coefficient, variable] : objective.terms)
    columns[variable.index].push_back({coefficient, 0});

  file.write(header_comment(model, objective.offset, "* "));
  file.write("NAME          bnnplan\nROWS\n N  obj\n");
  model::for_each_plain_row(model, [&](const model::PlainRow& row) {
    const auto number = static_cast<std::uint32_t>(bounds.size());
    bounds.push_back(row.bound);
    for (const auto& [coefficient, variable] : row.terms)
      columns[variable.index].push_back({coefficient, number});
    file.write(row.comparison == Comparison::at_most    ? " L  c"
               : row.comparison == Comparison::at_least ? " G  c"
                                                        : " E  c");
    file.write(std::int64_t{number});
    file.write('\n');
  });
  file.write("COLUMNS\n    MARKER                 'MARKER'                 'INTORG'\n");
  for (std::uint32_t v = 0; v < variables; ++v) {
    if (columns[v].empty()) columns[v].push_back({0, 0});  // an unconstrained variable still has a column
    for (const Entry& entry : columns[v]) write_entry("x", std::int64_t{v} + 1, entry, file);
  }
  file.write("    MARKER                 'MARKER'                 'INTEND'\nRHS\n");
  for (std::uint32_t row = 1; row < bounds.size(); ++row) {
    if (bounds[row] != 0) write_entry("RHS", 0, {bounds[row], row}, file);
  }
  file.write("BOUNDS\n");
  for (std::uint32_t v = 1; v <= variables; ++v) {
    file.write(" BV BND       x");
    file.write(std::int64_t{v});
    file.write('\n');
  }
  file.write("ENDATA\n");
}

}  // namespace bnnplan::formats
