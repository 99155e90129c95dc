#pragma once

// Files that the command line names.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/api/file_kind.hpp"

namespace bnnplan::cli {

// How errors say an argument that names a file.
std::string shown_name(const std::string& argument);

// Reads the file, or standard input if the argument is "-", which may be said once. Throws InputError.
InputText read_input(const std::string& argument, std::size_t limit = std::size_t{1} << 30);

// read_as for a `read` that opens the file, or several of the same kind, itself.
std::optional<std::string> beginning_of(const std::string& file);  // nothing if it cannot be read twice
template <class Read>
auto read_files_as(FileKind expected, const std::vector<std::string>& files, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    for (const std::string& file : files) {
      if (error.file() != file) continue;
      const auto beginning = beginning_of(file);
      if (!beginning) break;
      if (const auto better = wrong_kind(expected, file, *beginning)) throw *better;
    }
    throw;
  }
}

}  // namespace bnnplan::cli
