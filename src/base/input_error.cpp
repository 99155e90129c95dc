// Errors about input, and the small text functions that make their one line safe and helpful: escaping of
// arbitrary file content, and "did you mean" by edit distance (Levenshtein, O(|a| |b|)).
#include "bnnplan/base/input_error.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace bnnplan {

namespace {

constexpr char name_begins = '\x0e', name_ends = '\x0f';

std::string place_text(std::string_view file, std::size_t line) {
  if (file.empty()) return "";
  if (line == 0) return fmt::format("{}: ", printable(file, 4096));
  return fmt::format("{}:{}: ", printable(file, 4096), line);
}

// With the value that is meant, if the text has one: engine=search.
std::string option_text(std::string_view text, OptionStyle style) {
  std::string name(text.substr(0, text.find('=')));
  const std::string value(text.substr(std::min(name.size() + 1, text.size())));
  if (style == OptionStyle::command_line) return "--" + name + (value.empty() ? "" : " " + value);
  std::replace(name.begin(), name.end(), '-', '_');
  if (style == OptionStyle::python) return name + "=" + (value.empty() ? "" : "'" + value + "'");
  return name + (value.empty() ? "" : " " + value);
}

// Length of the well-formed UTF-8 sequence at the start of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 && first < 0xf5   ? 4
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xc2 && first < 0xe0 ? 2
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  if (first == 0xe0 && byte(1) < 0xa0) return 0;                 // overlong
  if (first == 0xed && byte(1) >= 0xa0) return 0;                // surrogate
  if (first == 0xf0 && byte(1) < 0x90) return 0;                 // overlong
  if (first == 0xf4 && byte(1) >= 0x90) return 0;                // beyond U+10FFFF
  if (length == 2 && first == 0xc2 && byte(1) < 0xa0) return 0;  // C1 control characters
  return length;
}

// The code point encoded by a well-formed UTF-8 sequence.
char32_t code_point(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  char32_t code = sequence.size() == 1   ? first
                  : sequence.size() == 2 ? first & 0x1fu
                  : sequence.size() == 3 ? first & 0x0fu
                                         : first & 0x07u;
  for (const char c : sequence.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3fu);
  return code;
}

// Invisible characters that change how text appears: they reverse the writing direction (so that one name
// reads as another), have no width, or end a line.
bool is_invisible(char32_t code) {
  constexpr struct {
    char32_t first, last;
  } ranges[] = {{0x00ad, 0x00ad}, {0x034f, 0x034f}, {0x061c, 0x061c},   {0x115f, 0x1160},
                {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f},   {0x2028, 0x202e},
                {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
                {0xffa0, 0xffa0}, {0xfff9, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const auto& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

std::string option_name(std::string_view name) { return fmt::format("{}{}{}", name_begins, name, name_ends); }

std::string with_option_names(std::string_view text, OptionStyle style) {
  std::string result;
  while (true) {
    const std::size_t begin = text.find(name_begins);
    const std::size_t end = begin == text.npos ? text.npos : text.find(name_ends, begin);
    if (end == text.npos) return result.append(text);
    result += text.substr(0, begin);
    result += option_text(text.substr(begin + 1, end - begin - 1), style);
    text.remove_prefix(end + 1);
  }
}

InputError::InputError(std::string_view file, std::size_t line, std::string_view message)
    : InputError(file, line, place_text(file, line), message) {}

InputError::InputError(std::string_view file, std::size_t line, std::string_view place,
                       std::string_view message)
    : std::runtime_error(std::string(place) + with_option_names(message, OptionStyle::library)),
      file_(file),
      line_(line),
      place_(place),
      message_(message) {}

std::string printable(std::string_view text, std::size_t limit) {
  std::string result;
  while (!text.empty()) {
    if (result.size() >= limit) return result + "...";
    const std::size_t length = utf8_length(text);
    const auto first = static_cast<unsigned char>(text.front());
    if (length == 0 || first < 0x20 || first == 0x7f) {
      result += fmt::format("\\x{:02x}", first);
      text.remove_prefix(1);
    } else if (const char32_t code = code_point(text.substr(0, length)); is_invisible(code)) {
      result += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(code));
      text.remove_prefix(length);
    } else {
      result += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return result;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace bnnplan
