#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan {

// What a file may be, for a user who gives a command the wrong one.
enum class FileKind {
  problem,  // .toml
  network,  // .bnn
  plan,     // .json
  data,     // .csv
  rddl,     // .rddl
  formula,  // WCNF, CNF
  model,    // OPB, LP, MPS, MiniZinc: read by solvers
  proof,    // .pbp
  answer,   // of a solver
  page,     // .html, .svg
};

// The kind of a file by how its text begins, and, where that says nothing, by its name.
std::optional<FileKind> kind_of(std::string_view text, std::string_view name);
constexpr std::size_t kind_bytes = std::size_t{1} << 16;  // that are enough for it

// "a problem (.toml)"
std::string_view kind_text(FileKind kind);
// "`bnnplan plan`": what takes such a file
std::string_view kind_commands(FileKind kind);

// What is to be said of a file that was refused as one of the kind `expected`: that it is empty, or what it
// is instead and which command is for that. Nothing if it may well be meant as such a file.
std::optional<InputError> wrong_kind(FileKind expected, std::string_view name, std::string_view text);

// The text of a file that the user named.
struct InputText {
  std::string name;              // as errors say it: the path, or <stdin>
  std::filesystem::path folder;  // what other files that it names are relative to
  std::string text;
};

// Calls `read`, which reads this text as a file of this kind; where it is refused and plainly of another
// kind, that is said instead. Readers go first: what they accept is never doubted.
template <class Read>
auto read_as(FileKind expected, const InputText& input, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    if (error.file() != input.name) throw;
    if (const auto better = wrong_kind(expected, input.name, input.text)) throw *better;
    throw;
  }
}

}  // namespace bnnplan
