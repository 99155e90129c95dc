// Lines of comma-separated values, quoted the way spreadsheets do.
#include "bnnplan/base/csv_line.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/text_file.hpp"

namespace bnnplan {

namespace {

// Removes the quoted field from the front of the text and returns it; a doubled quote in it is one quote.
std::optional<std::string> quoted_field(std::string_view& rest) {
  std::string field;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] != '"') {
      field += rest[i];
    } else if (i + 1 < rest.size() && rest[i + 1] == '"') {
      field += rest[i++];
    } else {
      rest.remove_prefix(i + 1);
      return field;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> csv_fields(std::string_view line, std::string_view file, std::size_t number,
                                    std::string_view what) {
  std::vector<std::string> fields;
  std::string_view rest = line;
  while (true) {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
    if (!rest.empty() && rest.front() == '"') {
      const auto field = quoted_field(rest);
      rest = trimmed(rest);
      if (!field || (!rest.empty() && rest.front() != ',')) {
        throw InputError(file, number,
                         fmt::format("a quoted {} is not closed, expected \" followed by a comma", what));
      }
      fields.push_back(*field);
    } else {
      const std::size_t end = std::min(rest.find(','), rest.size());
      fields.emplace_back(trimmed(rest.substr(0, end)));
      rest.remove_prefix(end);
    }
    if (rest.empty()) return fields;
    rest.remove_prefix(1);
  }
}

std::string csv_field(std::string_view text) {
  if (!text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos && trimmed(text) == text)
    return std::string(text);
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + '"';
}

}  // namespace bnnplan
