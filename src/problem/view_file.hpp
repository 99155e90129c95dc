#pragma once

#include <string>
#include <string_view>

#include "problem/name_table.hpp"
#include "problem/problem.hpp"
#include "problem/toml_text.hpp"

namespace bnnplan {

// The [view] section of a problem file, whose variables must be complete. Throws InputError at file:line.
View read_view(const toml::table& section, const Problem& problem, const NameTable& names,
               std::string_view file);

// The section as text, starting with a blank line; reading it back gives an equal view.
std::string view_text(const View& view, const Problem& problem);

// A string and a key as TOML writes them.
std::string toml_string(std::string_view text);
std::string toml_key(std::string_view key);

}  // namespace bnnplan
