#pragma once

#include <string>
#include <string_view>

namespace bnnplan {

// Text escaped for HTML and SVG, also within an attribute in double quotes.
std::string markup_escaped(std::string_view text);

}  // namespace bnnplan
