// Places in RDDL text. RDDL lines are long and full of brackets, so errors also give the column, unlike those
// of other inputs.
#include "bnnplan/rddl/language/source_place.hpp"

#include <fmt/format.h>

namespace bnnplan::rddl {

std::string to_string(const SourcePlace& place) {
  if (place.file == nullptr) return "";
  return fmt::format("{}:{}:{}", printable(*place.file, 4096), place.line, place.column);
}

RddlError::RddlError(const SourcePlace& place, std::string_view message)
    : InputError(place.file == nullptr ? std::string_view() : std::string_view(*place.file), place.line,
                 place.file == nullptr ? "" : to_string(place) + ": ", message) {}

}  // namespace bnnplan::rddl
