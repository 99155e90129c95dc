#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan {

// The style of text for people. Without colours it is plain text for files and pipes.
struct TextStyle {
  bool colour = false;
  bool unicode = true;     // blocks and dots beyond ASCII
  std::size_t width = 80;  // columns
  OptionStyle options = OptionStyle::library;

  std::string strong(std::string_view text) const { return paint("1;36", text); }  // the subject
  std::string weak(std::string_view text) const { return paint("2", text); }       // its frame
  std::string good(std::string_view text) const { return paint("1;32", text); }
  std::string doubtful(std::string_view text) const { return paint("1;33", text); }
  std::string bad(std::string_view text) const { return paint("1;31", text); }
  std::string option(std::string_view name) const { return with_option_names(option_name(name), options); }

 private:
  std::string paint(std::string_view code, std::string_view text) const {
    if (!colour || text.empty()) return std::string(text);
    return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
  }
};

}  // namespace bnnplan
