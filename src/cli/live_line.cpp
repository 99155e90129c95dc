// A line longer than the terminal is wide wraps, and then only its last part is overwritten.
#include "bnnplan/cli/live_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bnnplan/cli/output.hpp"

namespace bnnplan::cli {

namespace {

std::size_t columns() {
  winsize size{};
  constexpr std::size_t usual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

// The first characters of UTF-8 text, as many as fit.
std::string_view first_columns(std::string_view text, std::size_t most) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    if (starts && characters++ == most) return text.substr(0, i);
  }
  return text;
}

}  // namespace

LiveLine::LiveLine() : terminal_(::isatty(STDERR_FILENO) != 0) {}

void LiveLine::show(std::string_view text) {
  // One less: a full line makes some terminals wrap.
  print_message(fmt::format("\r\033[K{}", first_columns(text, columns() - 1)));
  shown_ = true;
}

void LiveLine::clear() {
  if (shown_) print_message("\r\033[K");
  shown_ = false;
}

}  // namespace bnnplan::cli
