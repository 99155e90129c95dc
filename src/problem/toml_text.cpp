// TOML with suspicion. toml++ limits how deeply values are nested, but not how many parts a key has: each
// part is a table in a table, and they are destroyed by recursion. So keys are looked at before it sees them.
#include "problem/toml_text.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "base/input_error.hpp"

namespace bnnplan {

namespace {

constexpr std::size_t most_parts = 100;
constexpr std::size_t most_bytes = std::size_t{64} << 20;

// Where the string that starts at `at` ends: behind its quotes, or where its line does if they are missing.
std::size_t string_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const bool many_lines = text.substr(at, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''");
  for (std::size_t i = at + (many_lines ? 3 : 1); i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (!many_lines && (text[i] == quote || text[i] == '\n')) {
      return text[i] == quote ? i + 1 : i;
    } else if (many_lines && text[i] == quote && text.substr(i, 3) == text.substr(at, 3)) {
      return i + 3;
    }
  }
  return text.size();
}

// Counts the dots between the parts of a key. A number has one at most.
void check_keys(std::string_view text, std::string_view file) {
  std::size_t line = 1, dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = string_end(text, i);
      line += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                                  text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '\n') ++line;
    if (c == '.' && ++dots >= most_parts)
      throw InputError(file, line, fmt::format("a key of more than {} parts", most_parts));
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots = 0;
    ++i;
  }
}

}  // namespace

toml::table parse_toml(std::string_view text, std::string_view file) {
  if (text.size() > most_bytes)
    throw InputError(file, fmt::format("too large: more than {} bytes for a problem file", most_bytes));
  check_keys(text, file);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InputError(file, error.source().begin.line, printable(error.description(), 400));
  }
}

}  // namespace bnnplan
