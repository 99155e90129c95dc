#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/model/zero_one_model.hpp"

namespace bnnplan::formats {

// Maps the variables of a file to those of the model, if the file numbers them differently: files without
// gaps do. Variables made by an encoding map to `none`.
struct FileNumbering {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> model_variable;  // by file variable, from 0

  std::uint32_t variables() const { return static_cast<std::uint32_t>(model_variable.size()); }
  // The values of the model's variables from those of the file's; unknown_bit for those that are not in the
  // file.
  BitValues in_model(const BitValues& of_file, std::uint32_t model_variables) const;

  friend bool operator==(const FileNumbering&, const FileNumbering&) = default;
};

// A clause file (WCNF of both kinds, CNF) or an OPB file, as written by us, with its variables renumbered 1,
// 2, ... in their order. Tautologies, which a file may contain so that a solver sees its last variable, are
// dropped.
struct RenumberedFile {
  std::string text;
  std::vector<std::uint32_t> old_variable;  // by new variable, from 0
};
RenumberedFile renumber_clauses(std::string_view text);
RenumberedFile renumber_opb(std::string_view text);

// The map that accompanies a file: a head with the number of variables, then a line "NUMBER MODEL-NUMBER
// NAME" for each variable of the file that is in the model, "NUMBER - -" for others.
std::string numbering_text(const FileNumbering& numbering, const model::ZeroOneModel& model,
                           std::string_view file);
// The names are ignored. Throws InputError at file:line, also if the number of model variables differs.
FileNumbering parse_numbering(std::string_view text, std::string_view file_name,
                              std::uint32_t model_variables);

}  // namespace bnnplan::formats
