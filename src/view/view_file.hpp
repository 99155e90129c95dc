#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/toml_text.hpp"
#include "bnnplan/view/view.hpp"

namespace bnnplan::view {

enum class ViewPlace : std::uint8_t { state, action, elsewhere };

// The meaning of a name in a [view] section.
struct ViewName {
  ViewPlace place = ViewPlace::elsewhere;
  std::uint32_t variable = 0;  // its index among those of its place
  bool boolean = true;
  std::string variable_name;  // differs from the requested name if that is one bit of an integer
};

// The meaning of the names of a section, supplied by the owner of the variables.
struct ViewScope {
  std::function<std::optional<ViewName>(std::string_view name)> find;
  std::function<std::string(std::string_view name)> suggestion;  // ", did you mean 'x'?" or empty
};

// The [view] section of a problem file. Throws InputError at file:line.
View read_view(const toml::table& section, const ViewScope& scope, std::string_view file);

// The names of all variables, by index.
struct ViewNames {
  std::vector<std::string> state, action;
};

// The section as text, starting with a blank line; reading it back gives an equal view.
std::string view_text(const View& view, const ViewNames& names);

}  // namespace bnnplan::view
