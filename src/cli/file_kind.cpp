// Files that the command line names: - is standard input, which can be read once.
#include "bnnplan/cli/file_kind.hpp"

#include <filesystem>

#include "bnnplan/base/text_file.hpp"

namespace bnnplan::cli {

std::string shown_name(const std::string& argument) { return argument == "-" ? "<stdin>" : argument; }

InputText read_input(const std::string& argument, std::size_t limit) {
  if (argument != "-")
    return {argument, std::filesystem::path(argument).parent_path(), read_text_file(argument, limit)};
  static bool taken = false;
  if (taken) throw InputError("only one file can be -, standard input");
  taken = true;
  const std::string name = shown_name(argument);
  return {name, "", read_standard_input(name, limit)};
}

std::optional<std::string> beginning_of(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  return read_beginning(file, kind_bytes);
}

}  // namespace bnnplan::cli
