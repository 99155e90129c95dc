#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::rddl {

// A position in a file. The file name is owned by the RddlFile, and later by the GroundModel, that the place
// came from.
struct SourcePlace {
  const std::string* file = nullptr;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // in bytes, from 1
};

std::string to_string(const SourcePlace& place);  // file:line:column

// An error in RDDL text: an InputError whose message also gives the column, file:line:column: message.
class RddlError : public InputError {
 public:
  RddlError(const SourcePlace& place, std::string_view message);
};

}  // namespace bnnplan::rddl
