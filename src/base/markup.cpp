// Names of problems, solvers and variables are arbitrary text; on a page, none of it may be taken for markup.
#include "bnnplan/base/markup.hpp"

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

}  // namespace bnnplan
