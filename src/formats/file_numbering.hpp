#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bit_value.hpp"
#include "model/zero_one_model.hpp"

namespace bnnplan {

// Which variable of the model each variable of a file is, where the file has other numbers than the model: those of a
// file without gaps. Variables that an encoding made are none.
struct FileNumbering {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> model_variable;  // by variable of the file, from 0

  std::uint32_t variables() const { return static_cast<std::uint32_t>(model_variable.size()); }
  // Values of the model's variables from those of the file's; unknown_bit for those that are not in the file.
  BitValues in_model(const BitValues& of_file, std::uint32_t model_variables) const;

  friend bool operator==(const FileNumbering&, const FileNumbering&) = default;
};

// A file of clauses (WCNF of both kinds, CNF) or an OPB file, as our writers make them, with its variables numbered
// 1, 2, ... in the order of their numbers. Clauses that a literal and its negation satisfy, which a file may have so that a
// solver sees its last variable, are left out.
struct RenumberedFile {
  std::string text;
  std::vector<std::uint32_t> old_variable;  // by new variable, from 0
};
RenumberedFile renumber_clauses(std::string_view text);
RenumberedFile renumber_opb(std::string_view text);

// The map beside a file: a line "NUMBER MODEL-NUMBER NAME" for each variable of the file that the model has, "NUMBER - -" for
// others, after a head that says how many there are.
std::string numbering_text(const FileNumbering& numbering, const ZeroOneModel& model, std::string_view file);
// The names are not looked at. Throws InputError at file:line, also for a map of another number of model variables.
FileNumbering parse_numbering(std::string_view text, std::string_view file_name,
                              std::uint32_t model_variables);

}  // namespace bnnplan
