#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::fuzz {

// readers/NAME.cpp defines try_NAME: passes the input to a reader and requires what must hold for the result.
// It may throw InputError, and nothing else.
struct Reader {
  std::string_view name;
  void (*try_input)(std::string_view input);
};
const Reader* find_reader(std::string_view name);  // nullptr if unknown

// Runs the reader. A rejection must be one printable line. Ends the process with abort() if anything is
// wrong. True if the input was accepted.
bool accepted(const Reader& reader, std::string_view input);

// Prints `what` and ends the process with abort() unless `holds`.
void require(bool holds, const char* what);

// The parts before and after the first line "==="; without one, both are the whole input.
std::pair<std::string_view, std::string_view> halves(std::string_view input);

// An empty folder for this process, in memory if possible; removed at the end.
const std::filesystem::path& scratch_folder();

}  // namespace bnnplan::fuzz
