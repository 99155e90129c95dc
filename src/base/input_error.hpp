#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace bnnplan {

// How the front ends write the name of an option: --time-limit, time_limit=, time_limit.
enum class OptionStyle : std::uint8_t { command_line, python, library };

// The name of an option, or an option with a value (engine=search), for texts of the library: enclosed in
// control characters, which printable() leaves in no text of a user. with_option_names() writes it in the
// style of a front end.
std::string option_name(std::string_view name);
std::string with_option_names(std::string_view text, OptionStyle style);

// The one exception for anything that is wrong with user input. what() is one printable line, "file:line:
// what is wrong, what was expected", with as much of the location as is known. Front ends show text().
class InputError : public std::runtime_error {
 public:
  InputError(std::string_view file, std::size_t line, std::string_view message);
  InputError(std::string_view file, std::string_view message) : InputError(file, 0, message) {}
  explicit InputError(std::string_view message) : InputError("", 0, message) {}

  const std::string& file() const { return file_; }
  std::size_t line() const { return line_; }               // 0 if unknown
  const std::string& message() const { return message_; }  // may have option_name()s
  std::string text(OptionStyle style) const { return place_ + with_option_names(message_, style); }

 protected:
  // For errors that say more exactly where: `place` is what the line begins with.
  InputError(std::string_view file, std::size_t line, std::string_view place, std::string_view message);

 private:
  std::string file_;
  std::size_t line_;
  std::string place_;
  std::string message_;
};

// Text that is safe to show on a terminal: control characters and invalid UTF-8 become \xNN, characters that
// change the writing direction or have no width become \u{NNNN}, and text longer than `limit` bytes is cut
// with an ellipsis.
std::string printable(std::string_view text, std::size_t limit = 160);

// The candidate nearest to `name` in edit distance if it is close enough to be a likely typo; otherwise
// empty.
template <class Range>
std::string nearest_name(std::string_view name, const Range& candidates);
std::size_t edit_distance(std::string_view a, std::string_view b);

template <class Range>
std::string nearest_name(std::string_view name, const Range& candidates) {
  std::string best;
  // Longer names are not typos, and edit distance takes quadratic time.
  constexpr std::size_t longest = 200;
  std::size_t best_distance = name.size() <= longest ? name.size() / 3 + 2 : 0;
  for (const auto& candidate : candidates) {
    const std::size_t length = std::string_view(candidate).size();
    if (length >= name.size() + best_distance || name.size() >= length + best_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

// For the end of a message: ", did you mean 'NAME'?", or nothing.
template <class Range>
std::string did_you_mean(std::string_view name, const Range& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? "" : ", did you mean '" + printable(nearest) + "'?";
}

}  // namespace bnnplan
