// What is wrong with a command line, for the person who typed it. The option parser says "The following
// arguments were not expected: search --engin", and of several things that are wrong not the first but the
// one it happens to check first. But it keeps what it could not place, command by command; from that, the
// names it knows and the edit distance between them, one line is made that says what to type instead.
#include "bnnplan/cli/usage.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/cli/command_list.hpp"
#include "bnnplan/cli/file_kind.hpp"

namespace bnnplan::cli {

namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word != "--" &&
         std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

// The commands of the line as far as they were understood: the program, `import`, `fd-sat-plan`.
std::vector<const CLI::App*> command_chain(const CLI::App& app) {
  std::vector<const CLI::App*> chain = {&app};
  while (!chain.back()->get_subcommands().empty()) chain.push_back(chain.back()->get_subcommands().front());
  return chain;
}

std::string see(const CLI::App& command) { return fmt::format(" (see {} --help)", command_path(command)); }

std::string unknown_option(const CLI::App& command, const std::string& word) {
  const std::string text = unknown_word("option", word.substr(0, word.find('=')), option_names(command));
  const bool before_command = command.get_parent() == nullptr && text.find("did you mean") == text.npos;
  return text + (before_command ? "; the options of a command come after its name" : "");
}

// The option that an error of the parser begins with, or names after `before`; null if it is not one of ours.
const CLI::Option* option_of(const CLI::App& command, std::string_view what, std::string_view before = "") {
  if (!what.starts_with(before)) return nullptr;
  what.remove_prefix(before.size());
  return command.get_option_no_throw(std::string(what.substr(0, what.find_first_of(": "))));
}

// What the parser says of an option with too few or too many values, such as "--engine: 1 required
// ENGINE:{auto,search} missing" or "Could not convert: --first = maybe".
std::string value_error(const CLI::App& command, const std::string& what) {
  if (const CLI::Option* flag = option_of(command, what, "Could not convert: ");
      flag != nullptr && flag->get_items_expected_max() == 0)
    return fmt::format("{} takes no value", flag->get_name());
  const CLI::Option* option = option_of(command, what);
  const bool missing = what.ends_with("missing") || what.find("required but received") != what.npos;
  if (option == nullptr || !missing) return what;
  if (what.find("At Most") != what.npos) return fmt::format("{} is given more than once", option->get_name());
  std::string value = option->get_type_name();
  value.resize(std::min(value.find(':'), value.size()));  // what is checked follows it
  return fmt::format("{0} lacks a value, expected {0} {1}", option->get_name(), value);
}

}  // namespace

std::string command_path(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return (parent == nullptr ? "" : command_path(*parent) + " ") + command.get_name();
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (command->get_name() == name) return command;
  }
  return nullptr;
}

std::string unknown_word(const std::string& what, const std::string& word,
                         const std::vector<std::string>& known) {
  return fmt::format("unknown {} '{}'{}", what, printable(word), did_you_mean(word, known));
}

std::string overview(const CLI::App& app) {
  std::string text = app.get_description() + "\n\n";
  for (const char* name : {"plan", "check", "info", "compile", "learn", "report"}) {
    const CommandInfo command = command_info(*find_command(app, name));
    text += fmt::format("  {}\n      {}\n", synopsis(command, command_path(app) + " " + name),
                        command.description);
  }
  return text + fmt::format("\n`{0} help` lists all commands, `{0} help COMMAND` says more about one.\n",
                            app.get_name());
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  if (is_option(word) || find_command(app, word) != nullptr) return "";
  std::string text = unknown_word("command", word, command_names(app));
  if (const auto beginning = beginning_of(word)) {
    if (const auto kind = kind_of(*beginning, word))
      text = fmt::format("'{}' is not a command but {}, for {}", printable(word), kind_text(*kind),
                         kind_commands(*kind));
  }
  return text + see(app);
}

std::string usage_error(const CLI::App& app, const OptionError& error) {
  return error.text(OptionStyle::command_line) + see(*command_chain(app).back());
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<const CLI::App*> chain = command_chain(app);
  const CLI::App& last = *chain.back();
  const std::vector<std::string> below =
      last.get_parent() != nullptr ? command_names(last) : std::vector<std::string>();
  std::string unexpected;
  for (const CLI::App* command : chain) {
    for (const std::string& word : command->remaining()) {
      if (word == "--") continue;
      // Options say more than what follows them, but for a command that was not understood.
      if (!below.empty() && command == &last && !is_option(word))
        return fmt::format("'{}' after '{}', expected {}{}", printable(word), command_path(last),
                           fmt::join(below, " or "), see(last));
      if (is_option(word)) return unknown_option(*command, word) + see(*command);
      if (unexpected.empty())
        unexpected = fmt::format("unexpected argument '{}'{}", printable(word), see(*command));
    }
  }
  if (!unexpected.empty()) return unexpected;
  if (!below.empty())
    return fmt::format("'{}' alone, expected {} after it{}", command_path(last), fmt::join(below, " or "),
                       see(last));
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return fmt::format("{}, usage: {}{}", error.what(), synopsis(command_info(last), command_path(last)),
                       see(last));
  return value_error(last, error.what()) + see(last);
}

}  // namespace bnnplan::cli
