// What options accept as words and numbers. CLI11 by itself does not say which word was meant, and reads 010
// as 8 and 2^64 as the largest number there is.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/exact_number.hpp"
#include "base/input_error.hpp"
#include "cli/options.hpp"

namespace bnnplan {

CLI::Validator one_of(std::vector<std::string> words) {
  const std::string listed = fmt::format("{}", fmt::join(words, ", "));
  const auto wrong = [=](const std::string& text) -> std::string {
    if (std::find(words.begin(), words.end(), text) != words.end()) return "";
    const std::string nearest = words.size() > 2 ? nearest_name(text, words) : "";
    return fmt::format("'{}', expected {}{}", printable(text), words.size() > 1 ? "one of " + listed : listed,
                       nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
  };
  return CLI::Validator(wrong, fmt::format("{{{}}}", fmt::join(words, ",")), "one of");
}

CLI::Validator whole_number(std::int64_t lowest, std::int64_t highest) {
  const auto wrong = [=](const std::string& text) -> std::string {
    std::int64_t number = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number);
    const bool octal = text.size() > 1 && text.front() == '0';
    if (error == std::errc() && end == last && !octal && number >= lowest && number <= highest) return "";
    return fmt::format("'{}', expected a whole number from {} to {}", printable(text), lowest, highest);
  };
  return CLI::Validator(wrong, "", "whole number");
}

namespace {

// The finite number that a text is, NaN if it is none.
double number_of(const std::string& text) {
  double number = 0;
  const bool parsed = CLI::detail::lexical_cast(text, number);
  return parsed && std::isfinite(number) ? number : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

CLI::Validator positive_number() {
  const auto wrong = [](const std::string& text) -> std::string {
    if (number_of(text) > 0) return "";
    return fmt::format("'{}', expected a number above 0", printable(text));
  };
  return CLI::Validator(wrong, "", "positive number");
}

CLI::Validator number_from(double lowest, double highest) {
  const auto wrong = [=](const std::string& text) -> std::string {
    if (const double number = number_of(text); number >= lowest && number <= highest) return "";
    return fmt::format("'{}', expected a number from {} to {}", printable(text), lowest, highest);
  };
  return CLI::Validator(wrong, "", "number");
}

CLI::Validator exact_number() {
  const auto wrong = [](const std::string& text) -> std::string {
    if (parse_exact(text)) return "";
    return fmt::format("'{}', expected a number such as 0.5, 1e-5 or 1/255", printable(text));
  };
  return CLI::Validator(wrong, "", "exact number");
}

CLI::Validator exact_pair(char between) {
  const auto wrong = [=](const std::string& text) -> std::string {
    const auto cut = text.find(between);
    if (cut != std::string::npos && parse_exact(text.substr(0, cut)) && parse_exact(text.substr(cut + 1)))
      return "";
    return fmt::format("'{}', expected two numbers such as 0{}1", printable(text), between);
  };
  return CLI::Validator(wrong, "", "two exact numbers");
}

void add_colour_option(CLI::App& command, std::string& colour) {
  command
      .add_option("--color", colour, "Colours: auto (on a terminal, unless NO_COLOR is set), always or never")
      ->check(one_of({"auto", "always", "never"}))
      ->type_name("WHEN");
}

}  // namespace bnnplan
