// What the terminal can show: colours only on a terminal and without NO_COLOR (no-color.org).
#include "bnnplan/cli/output.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

#include "bnnplan/base/text_file.hpp"

namespace bnnplan::cli {

namespace {

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The first of these that is set decides.
bool utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = variable(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

bool output_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

TextStyle output_style(const std::string& colour) {
  TextStyle style;
  style.options = OptionStyle::command_line;
  const bool wanted =
      output_is_terminal() && *variable("NO_COLOR") == 0 && std::string(variable("TERM")) != "dumb";
  style.colour = colour == "always" || (colour == "auto" && wanted);
  style.unicode = utf8_locale();
  winsize size{};
  if (output_is_terminal() && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = size.ws_col;
  return style;
}

void print(std::string_view text) { write_text_file("-", text); }

void print(const Answer& answer, bool as_json) { print(as_json ? answer.json() : answer.text); }

void print_message(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace bnnplan::cli
