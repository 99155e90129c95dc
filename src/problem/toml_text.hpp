#pragma once

#include <string_view>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

namespace bnnplan {

// Parses TOML that others wrote. Throws InputError with the line for what is no TOML, and for what no problem
// needs: keys of more than 100 parts (a.a.a...), nesting deeper than toml++ allows (256), more than 64 MiB.
toml::table parse_toml(std::string_view text, std::string_view file);

}  // namespace bnnplan
