// Described options on the command line.
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/cli/options.hpp"

namespace bnnplan::cli {

namespace {

// Texts of another form than the option's kind are refused with what its range allows.
std::string expected_instead(const Option& option, const std::string& text) {
  const OptionValue value = parse_option(option, text);
  if (!std::holds_alternative<std::monostate>(value)) return refusal(option, value);
  const bool whole = option.field.kind == OptionKind::integer || option.field.kind == OptionKind::integers;
  const auto impossible = whole ? OptionValue(std::numeric_limits<std::int64_t>::min()) : OptionValue(-1.0);
  const std::string expected = refusal(option, impossible);
  return !expected.empty() ? expected : whole ? "a whole number" : "a number";
}

void set_from(const Option& option, const std::vector<std::string>& texts) {
  if (option.field.kind == OptionKind::texts) {
    option.field.set(texts);
  } else if (option.field.kind == OptionKind::integers) {
    std::vector<std::int64_t> numbers;
    for (const std::string& text : texts)
      numbers.push_back(std::get<std::int64_t>(parse_option(option, text)));
    option.field.set(numbers);
  } else {
    option.field.set(parse_option(option, texts.front()));
  }
}

// QUERY for an option that is given by its place.
std::string positional_name(std::string name) {
  for (char& c : name) c = static_cast<char>(c - 'a' + 'A');
  return name;
}

// nullptr if the command does not have it.
CLI::Option* find_option(CLI::App& command, const std::string& name) {
  CLI::Option* found = command.get_option_no_throw("--" + name);
  return found != nullptr ? found : command.get_option_no_throw(positional_name(name));
}

}  // namespace

void add_options(CLI::App& command, const std::vector<Option>& options) {
  for (const Option& option : options) {
    const std::string help = with_option_names(option.help, OptionStyle::command_line);
    const std::string names = (option.letter == 0 ? "" : fmt::format("-{},", option.letter)) +
                              (option.positional ? positional_name(option.name) : "--" + option.name) +
                              (option.former_name.empty() ? "" : ",--" + option.former_name);
    if (option.field.kind == OptionKind::flag) {
      command.add_flag_callback(
          names, [option] { option.field.set(true); }, help);
      continue;
    }
    CLI::Option* added = command.add_option(
        names,
        [option](const CLI::results_t& texts) {
          set_from(option, texts);
          return true;
        },
        help);
    added->type_name(option.positional ? "TEXT" : option.unit)
        ->check(CLI::Validator(
            [option](const std::string& text) -> std::string {
              const std::string expected = expected_instead(option, text);
              return expected.empty() ? "" : fmt::format("'{}', expected {}", printable(text), expected);
            },
            option.field.words.empty() ? "" : fmt::format("{{{}}}", fmt::join(option.field.words, ",")),
            option.name));
    const bool list = option.field.kind == OptionKind::texts || option.field.kind == OptionKind::integers;
    if (list) added->expected(1, CLI::detail::expected_max_vector_size)->allow_extra_args(false);
    if (list && !option.repeated) added->delimiter(',');
  }
  for (const Option& option : options) {
    CLI::Option* added = find_option(command, option.name);
    for (const std::string& name : option.needs) {
      if (CLI::Option* other = find_option(command, name)) added->needs(other);
    }
    for (const std::string& name : option.excludes) {
      if (CLI::Option* other = find_option(command, name)) added->excludes(other);
    }
  }
}

void add_colour_option(CLI::App& command, std::string& colour) {
  add_options(command, {{"color", describing::one_of(colour, {"auto", "always", "never"}),
                         "Colours: auto (on a terminal, unless NO_COLOR is set), always or never", "WHEN"}});
}

void add_json_option(CLI::App& command, bool& json) {
  add_options(command, {{"json", describing::field(json), "Print one JSON object instead of text"}});
}

}  // namespace bnnplan::cli
