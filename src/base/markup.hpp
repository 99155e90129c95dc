#pragma once

#include <string>
#include <string_view>

namespace bnnplan {

// Text as it stands in HTML and SVG, also within an attribute in double quotes.
std::string markup_escaped(std::string_view text);

// Text as it stands in one line of Markdown, also in the cell of a table: nothing in it is markup there, and
// what is not printable is written as printable() (input_error.hpp) does.
std::string markdown_escaped(std::string_view text);

}  // namespace bnnplan
