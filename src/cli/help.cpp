// bnnplan help, bnnplan version: what --help and --version say, for those who type a word.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/cli/usage.hpp"

namespace bnnplan::cli {

namespace {

// Not one_of: there are too many to list in one line.
CLI::Validator command_name(const std::vector<std::string>& names) {
  const auto wrong = [=](const std::string& text) -> std::string {
    return std::find(names.begin(), names.end(), text) != names.end() ? ""
                                                                      : unknown_word("command", text, names);
  };
  return CLI::Validator(wrong, fmt::format("{{{}}}", fmt::join(names, ",")), "command");
}

}  // namespace

void add_help_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("help", "Say more about a command, or list all commands");
  auto words = std::make_shared<std::vector<std::string>>();
  // As they are now: this command is the last one that is added.
  std::vector<std::string> names;
  for (const CLI::App* known : app.get_subcommands(nullptr)) {
    names.push_back(known->get_name());
    for (const CLI::App* below : known->get_subcommands(nullptr)) names.push_back(below->get_name());
  }
  command->add_option("COMMAND", *words, "The command (all if not given)")->check(command_name(names));
  command->footer("Example: bnnplan help plan");
  command->callback([&app, &exit_code, words] {
    const CLI::App* about = &app;
    for (const std::string& word : *words) {
      about = find_command(*about, word);
      if (about == nullptr)
        throw CLI::ValidationError("COMMAND", fmt::format("there is no '{}'", fmt::join(*words, " ")));
    }
    print(about->get_formatter()->make_help(about, command_path(*about), CLI::AppFormatMode::Normal));
    exit_code = exit_success;
  });
}

void add_version_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("version", "Print the version");
  command->callback([&exit_code] {
    print(version_text() + "\n");
    exit_code = exit_success;
  });
}

std::string version_text() { return "bnnplan " BNNPLAN_VERSION; }

}  // namespace bnnplan::cli
