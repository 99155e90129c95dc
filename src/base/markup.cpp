// Names of problems, solvers and variables are arbitrary text; on a page, none of it may be taken for markup.
#include "base/markup.hpp"

#include <cctype>

#include "base/input_error.hpp"

namespace bnnplan {

std::string markup_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string markdown_escaped(std::string_view text) {
  const std::string shown = printable(text, 1000);
  const auto in_word = [&](std::size_t i) {
    return i < shown.size() && std::isalnum(static_cast<unsigned char>(shown[i])) != 0;
  };
  std::string result;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    if (c == '&' || c == '<' || c == '>') {
      result += markup_escaped({&c, 1});
      continue;
    }
    // An underscore within a word is not markup, and names are full of them.
    const bool plain_underscore = c == '_' && i > 0 && in_word(i - 1) && in_word(i + 1);
    if (std::string_view("\\`*_[]|~#$").find(c) != std::string_view::npos && !plain_underscore)
      result += '\\';
    result += c;
  }
  return result;
}

}  // namespace bnnplan
