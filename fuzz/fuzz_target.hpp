#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/input_error.hpp"

namespace bnnplan::fuzz {

// readers/NAME.cpp defines try_NAME: gives the input to a reader and requires whatever has to hold of the result. It may throw
// InputError, and nothing else.
struct Reader {
  std::string_view name;
  void (*try_input)(std::string_view input);
};
const Reader* find_reader(std::string_view name);  // nullptr if there is none

// Runs the reader. A refusal must be one printable line. Ends the process with abort() if anything is wrong.
// True if the input was accepted.
bool accepted(const Reader& reader, std::string_view input);

// Ends the process with abort(), after saying so, unless `holds`.
void require(bool holds, const char* what);

// The parts before and after the first line "===", both the whole input if there is none.
std::pair<std::string_view, std::string_view> halves(std::string_view input);

// An empty folder of this process, in memory where there is such a place; removed at the end.
const std::filesystem::path& scratch_folder();

}  // namespace bnnplan::fuzz
