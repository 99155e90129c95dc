// Defensive TOML: text that toml++ does not handle is refused before toml++ sees it.
//   Keys: it limits the nesting depth of values, but not the number of parts of a key. Each part is a table
//   in a table, and they are destroyed by recursion.
//   Non-ASCII letters outside quotes: it mistakes some for blanks.
// Anything else that confuses it ends in one of its assertions; see toml_text.hpp.
#include "bnnplan/base/toml_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"

namespace bnnplan {

namespace {

constexpr std::size_t most_parts = 100;
constexpr std::size_t most_bytes = std::size_t{64} << 20;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

// One pass over the text that recognises strings and comments.
class Suspicion {
 public:
  Suspicion(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  void check() {
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string();
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        check_plain(c);
        ++at_;
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(file_, line_, message); }

  void check_plain(char c) {
    if (beyond_ascii(c)) fail("a non-ASCII letter outside quotes, expected \"quotes\" around it");
    if (c == '\n') ++line_;
    // Dots separate the parts of a key; a number has one at most.
    if (c == '.' && ++dots_ >= most_parts) fail(fmt::format("a key of more than {} parts", most_parts));
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots_ = 0;
  }

  // Moves past the closing quotes, or to the end of the line if they are missing.
  void skip_string() {
    const char quote = text_[at_];
    const std::string_view three = text_.substr(at_, 3);
    const bool many_lines = three == std::string_view(quote == '"' ? "\"\"\"" : "'''");
    for (at_ += many_lines ? 3 : 1; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!many_lines) return;
        ++line_;
      } else if (quote == '"' && c == '\\') {
        skip_escape();
      } else if (c == quote && !many_lines) {
        ++at_;
        return;
      } else if (c == quote && text_.substr(at_, 3) == three) {
        at_ += 3;
        for (int more = 0; more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;  // its own
        return;
      }
    }
  }

  // Moves to the last character escaped by the backslash: one, or the blanks of a continued line.
  void skip_escape() {
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at_ + 1);
    if (next != at_ + 1 && next != std::string_view::npos) {
      line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   text_.begin() + static_cast<std::ptrdiff_t>(next), '\n'));
      at_ = next - 1;
    } else {
      ++at_;
    }
  }

  std::string_view text_, file_;
  std::size_t at_ = 0, line_ = 1, dots_ = 0;
};

// The line that confuses toml++: the last line of the shortest prefix of the text that does.
std::size_t confusing_line(std::string_view text) {
  std::vector<std::size_t> ends;  // of the lines
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') ends.push_back(i + 1);
  ends.push_back(text.size());
  const auto confuses = [&](std::size_t end) {
    try {
      static_cast<void>(toml::parse(text.substr(0, end)));
    } catch (const TomlConfusion&) {
      return true;
    } catch (const toml::parse_error&) {
    }
    return false;
  };
  const auto found =
      std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) { return !confuses(end); });
  return static_cast<std::size_t>(found - ends.begin()) + 1;
}

}  // namespace

TomlNumbers::TomlNumbers(std::string_view text) : text_(text) {
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());  // has no column
}

std::size_t TomlNumbers::offset_of(toml::source_position place) {
  if (place < reached_) {
    reached_ = {1, 1};
    at_ = 0;
  }
  while (at_ < text_.size() && reached_ < place) {
    if (text_[at_++] == '\n') {
      reached_ = {reached_.line + 1, 1};
      continue;
    }
    while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xc0) == 0x80) ++at_;
    ++reached_.column;
  }
  return at_;
}

std::optional<Decimal> TomlNumbers::exact(const toml::node& node) {
  if (const auto integer = node.value_exact<std::int64_t>()) return make_decimal(*integer, 0);
  const auto value = node.value_exact<double>();
  if (!value) return std::nullopt;
  std::string written;
  for (std::size_t at = offset_of(node.source().begin); at < text_.size(); ++at) {
    if (std::string_view("+-.eE0123456789_").find(text_[at]) == std::string_view::npos) break;
    if (text_[at] != '_') written += text_[at];
  }
  try {
    const auto number = parse_decimal(written);
    // Check that this is the number toml++ saw, and not something else at a misunderstood position.
    return number && std::strtod(written.c_str(), nullptr) == *value ? number : std::nullopt;
  } catch (const OverflowError&) {
    return std::nullopt;
  }
}

void throw_toml_confusion(const char* condition) { throw TomlConfusion(condition); }

toml::table parse_toml(std::string_view text, std::string_view file) {
  if (text.size() > most_bytes)
    throw InputError(file, fmt::format("too large: more than {} bytes for a problem file", most_bytes));
  Suspicion(text, file).check();
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InputError(file, error.source().begin.line, printable(error.description(), 400));
  } catch (const TomlConfusion&) {
    throw InputError(file, confusing_line(text), "malformed TOML: something is missing or extra here");
  }
}

std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        result += "\\\"";
        break;
      case '\\':
        result += "\\\\";
        break;
      case '\n':
        result += "\\n";
        break;
      case '\t':
        result += "\\t";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          result += c;
        }
    }
  }
  return result + "\"";
}

std::string toml_key(std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? std::string(key) : toml_string(key);
}

}  // namespace bnnplan
