// Reading the option parser: names, values and, where only certain words are allowed, these words. The parser
// shows such words as {a,b,c} in the description of a check.
#include "bnnplan/cli/command_list.hpp"

#include <fmt/format.h>

namespace bnnplan::cli {

namespace {

std::vector<std::string> choices_of(const CLI::Option& option) {
  std::vector<std::string> choices;
  // The parser hands out checks of an option that may be changed, by number, and throws after the last.
  auto& changeable = const_cast<CLI::Option&>(option);
  try {
    for (int i = 0;; ++i) {
      const std::string text = changeable.get_validator(i)->get_description();
      if (text.size() < 2 || text.front() != '{' || text.back() != '}') continue;
      std::string word;
      for (const char c : text.substr(1)) {
        if (c == ',' || c == '}') {
          choices.push_back(word);
          word.clear();
        } else {
          word += c;
        }
      }
    }
  } catch (const CLI::OptionNotFound&) {
  }
  return choices;
}

OptionInfo option_info(const CLI::Option& option) {
  OptionInfo info;
  if (!option.get_lnames().empty()) info.long_name = "--" + option.get_lnames().front();
  if (!option.get_snames().empty()) info.short_name = "-" + option.get_snames().front();
  info.description = option.get_description();
  info.required = option.get_required();
  info.many = option.get_items_expected_max() > 1 &&
              option.get_items_expected_min() != option.get_items_expected_max();
  info.choices = choices_of(option);
  if (option.get_positional()) {
    info.value = option.get_name(true);
  } else if (option.get_items_expected_max() > 0) {
    info.value = option.get_type_name();
    // The parser appends what it checks; the words are in `choices` already.
    if (const std::size_t colon = info.value.find(':'); colon != std::string::npos) info.value.resize(colon);
  }
  return info;
}

}  // namespace

CommandInfo command_info(const CLI::App& app) {
  CommandInfo info;
  info.name = app.get_name();
  info.description = app.get_description();
  info.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    OptionInfo read = option_info(*option);
    (option->get_positional() ? info.arguments : info.options).push_back(std::move(read));
  }
  for (const CLI::App* command : app.get_subcommands(nullptr))
    info.commands.push_back(command_info(*command));
  return info;
}

std::string synopsis(const CommandInfo& command, const std::string& path) {
  std::string text = path;
  for (const OptionInfo& argument : command.arguments) {
    const std::string name = argument.value + (argument.many ? "..." : "");
    text += argument.required ? " " + name : " [" + name + "]";
  }
  for (const OptionInfo& option : command.options) {
    if (option.required)
      text += fmt::format(" {} {}", option.short_name.empty() ? option.long_name : option.short_name,
                          option.value);
  }
  if (!command.commands.empty()) text += " COMMAND";
  return text + " [OPTIONS]";
}

}  // namespace bnnplan::cli
