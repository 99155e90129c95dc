// What options accept as numbers. CLI11 by itself reads 010 as 8 and 2^64 as the largest number there is.
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cli/commands.hpp"

namespace bnnplan {

CLI::Validator whole_number(std::int64_t lowest, std::int64_t highest) {
  const auto wrong = [=](const std::string& text) -> std::string {
    std::int64_t number = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    const bool octal = text.size() > 1 && text.front() == '0';
    if (error == std::errc() && end == last && !octal && number >= lowest && number <= highest) return "";
    return fmt::format("'{}', expected a whole number from {} to {}", text, lowest, highest);
  };
  return CLI::Validator(wrong, "", "whole number");
}

CLI::Validator positive_number() {
  const auto wrong = [](const std::string& text) -> std::string {
    double number = 0;
    const bool parsed = CLI::detail::lexical_cast(text, number);
    if (parsed && number > 0 && std::isfinite(number)) return "";
    return fmt::format("'{}', expected a number above 0", text);
  };
  return CLI::Validator(wrong, "", "positive number");
}

}  // namespace bnnplan
