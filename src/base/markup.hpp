#pragma once

#include <string>
#include <string_view>

namespace bnnplan {

// Text escaped for HTML and SVG, also within an attribute in double quotes.
std::string markup_escaped(std::string_view text);

// Text escaped for one line of Markdown, also within a table cell: none of it acts as markup, and unprintable
// characters are written as by printable() (input_error.hpp).
std::string markdown_escaped(std::string_view text);

}  // namespace bnnplan
