// bnnplan completion, bnnplan man: what shells and `man` need to know of the program, made from the same
// option parser that reads the command line, so that they cannot differ from it.
#include <memory>

#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/cli/command_list.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/options.hpp"

namespace bnnplan::cli {

namespace {

std::string names_of(const OptionInfo& option) {
  return fmt::format("{}{}{}", option.short_name,
                     option.short_name.empty() || option.long_name.empty() ? "" : " ", option.long_name);
}

std::string first_line(std::string text) {
  text.resize(std::min(text.find('\n'), text.size()));
  return text;
}

// One branch of a bash case statement: what follows an option, which options there are, which words.
std::string bash_branch(const CommandInfo& command, const std::string& pattern) {
  std::string text = fmt::format("    {})\n      case \"$previous\" in\n", pattern);
  std::string files;
  for (const OptionInfo& option : command.options) {
    if (option.value.empty()) continue;
    std::string names = option.long_name;
    if (!option.short_name.empty()) names += (names.empty() ? "" : "|") + option.short_name;
    if (option.choices.empty()) {
      files += (files.empty() ? "" : "|") + names;
    } else {
      text += fmt::format("        {}) COMPREPLY=($(compgen -W \"{}\" -- \"$current\")); return ;;\n", names,
                          fmt::join(option.choices, " "));
    }
  }
  if (!files.empty()) text += fmt::format("        {}) return ;;\n", files);
  std::string words;
  for (const OptionInfo& option : command.options) words += (words.empty() ? "" : " ") + names_of(option);
  text += fmt::format("      esac\n      options=\"{}\"\n", words);
  std::vector<std::string> below;
  for (const CommandInfo& inner : command.commands) below.push_back(inner.name);
  for (const OptionInfo& argument : command.arguments)
    below.insert(below.end(), argument.choices.begin(), argument.choices.end());
  if (!below.empty()) text += fmt::format("      words=\"{}\"\n", fmt::join(below, " "));
  return text + "      ;;\n";
}

std::string zsh_quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      result += std::string("\\") + c;
    } else if (c != '`') {
      result += c;
    }
  }
  return result;
}

std::string zsh_argument(const OptionInfo& option) {
  const std::string help = zsh_quoted(first_line(option.description));
  std::string action;
  if (!option.value.empty()) {
    action =
        fmt::format(":{}:{}", zsh_quoted(option.value),
                    option.choices.empty() ? "_files" : fmt::format("({})", fmt::join(option.choices, " ")));
  }
  if (option.long_name.empty() || option.short_name.empty())
    return fmt::format("'{}[{}]{}'", option.long_name + option.short_name, help, action);
  return fmt::format("'({0} {1})'{{{0},{1}}}'[{2}]{3}'", option.short_name, option.long_name, help, action);
}

// Text for troff: no line may begin with . or ', and - is a minus sign that can be copied.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (result.empty() || result.back() == '\n') {
      if (c == '.' || c == '\'') result += "\\&";
      if (c == '\n') continue;  // empty lines are paragraphs of their own macro
    }
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string roff_lines(std::string_view text) {
  std::string result = roff(text);
  for (std::size_t at = 0; (at = result.find('\n', at)) != std::string::npos; at += 5)
    result.replace(at, 1, "\n.br\n");
  return result;
}

void append_manual(std::string& text, const CommandInfo& command, const std::string& path) {
  if (!command.commands.empty() && command.arguments.empty()) {
    for (const CommandInfo& inner : command.commands) append_manual(text, inner, path + " " + inner.name);
    return;
  }
  text += fmt::format(".SS {}\n.B {}\n.PP\n{}.\n", roff(path), roff(synopsis(command, path)),
                      roff(command.description));
  for (const OptionInfo& argument : command.arguments)
    text += fmt::format(".TP\n.I {}\n{}\n", roff(argument.value), roff_lines(argument.description));
  for (const OptionInfo& option : command.options) {
    if (option.long_name == "--help") continue;
    std::string names = option.short_name;
    if (!option.long_name.empty()) names += (names.empty() ? "" : ", ") + option.long_name;
    text += fmt::format(".TP\n.B {}{}\n{}\n", roff(names),
                        option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.value)),
                        roff_lines(option.description));
    if (!option.choices.empty())
      text += fmt::format(".br\nOne of: {}.\n", roff(fmt::format("{}", fmt::join(option.choices, ", "))));
  }
  if (!command.footer.empty()) text += fmt::format(".PP\n{}\n", roff_lines(command.footer));
}

}  // namespace

std::string bash_completion(const CommandInfo& program) {
  std::vector<std::string> names;
  for (const CommandInfo& command : program.commands) names.push_back(command.name);
  std::string options;
  for (const OptionInfo& option : program.options) options += " " + names_of(option);
  std::string text = fmt::format(
      "# Completion of bnnplan for bash; made by `bnnplan completion bash`.\n"
      "_bnnplan() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" previous=\"${{COMP_WORDS[COMP_CWORD-1]}}\" "
      "options=\"\" "
      "words=\"\"\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{}{}\" -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n",
      fmt::join(names, " "), options);
  for (const CommandInfo& command : program.commands) {
    // Options of a command below stand with those of the command itself.
    CommandInfo all = command;
    for (const CommandInfo& inner : command.commands)
      all.options.insert(all.options.end(), inner.options.begin(), inner.options.end());
    text += bash_branch(all, command.name);
  }
  return text +
         "  esac\n"
         "  case \"$current\" in\n"
         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;\n"
         "    *) [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o default -o bashdefault -F _bnnplan bnnplan\n";
}

std::string zsh_completion(const CommandInfo& program) {
  std::string text =
      "#compdef bnnplan\n# Completion of bnnplan for zsh; made by `bnnplan completion zsh`.\n"
      "_bnnplan() {\n  local -a commands\n  commands=(\n";
  for (const CommandInfo& command : program.commands)
    text += fmt::format("    '{}:{}'\n", command.name, zsh_quoted(first_line(command.description)));
  text +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const CommandInfo& command : program.commands) {
    text += fmt::format("    {})\n      _arguments", command.name);
    std::vector<OptionInfo> options = command.options;
    std::vector<std::string> words;
    for (const CommandInfo& inner : command.commands) {
      words.push_back(inner.name);
      options.insert(options.end(), inner.options.begin(), inner.options.end());
    }
    for (const OptionInfo& argument : command.arguments)
      words.insert(words.end(), argument.choices.begin(), argument.choices.end());
    for (const OptionInfo& option : options) text += " \\\n        " + zsh_argument(option);
    if (!words.empty()) text += fmt::format(" \\\n        '1:what:({})'", fmt::join(words, " "));
    text += " \\\n        '*:file:_files'\n      ;;\n";
  }
  return text + "  esac\n}\n_bnnplan \"$@\"\n";
}

std::string manual_page(const CommandInfo& program, const std::string& version) {
  std::string text = fmt::format(
      ".\\\" Made by `bnnplan man`.\n.TH BNNPLAN 1 \"\" \"bnnplan {}\" \"User Commands\"\n"
      ".SH NAME\nbnnplan \\- optimal planning with binarized neural networks\n"
      ".SH SYNOPSIS\n.B bnnplan\n.I COMMAND\n[\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n{}\n.PP\nResults go to standard output, messages to standard error. Bad input is one "
      "line,\n"
      "\\fIfile:line: what is wrong, what was expected\\fR. Files are written whole or not at all.\n"
      "A problem, plan, data set, formula, proof or answer named \\- is read from standard input; its "
      "network is\n"
      "then looked for in the current folder.\n.SH "
      "COMMANDS\n",
      roff(version), roff(program.description));
  for (const CommandInfo& command : program.commands)
    append_manual(text, command, program.name + " " + command.name);
  text += fmt::format(".SH EXIT STATUS\n{}\n", roff_lines(program.footer));
  return text +
         ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set and not empty, no colours.\n"
         ".SH EXAMPLES\n.nf\nbnnplan plan models/corridor.toml \\-o plan.json\n"
         "bnnplan check models/corridor.toml plan.json\n"
         "bnnplan report models/corridor.toml plan.json \\-o corridor.html\n.fi\n";
}

void add_completion_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("completion", "Print the completion of this command line for a shell");
  auto shell = std::make_shared<std::string>(), output = std::make_shared<std::string>("-");
  add_options(*command, {{.name = "shell",
                          .field = describing::one_of(*shell, {"bash", "zsh"}),
                          .help = "bash or zsh",
                          .positional = true}});
  command->get_option("SHELL")->required();
  command->add_option("-o,--output", *output, "File to write (standard output)")->type_name("FILE");
  command->footer("Example: bnnplan completion bash > ~/.local/share/bash-completion/completions/bnnplan");
  command->callback([&app, &exit_code, shell, output] {
    const CommandInfo program = command_info(app);
    write_text_file(*output, *shell == "bash" ? bash_completion(program) : zsh_completion(program));
    exit_code = exit_success;
  });
}

void add_man_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page");
  auto output = std::make_shared<std::string>("-");
  command->add_option("-o,--output", *output, "File to write (standard output)")->type_name("FILE");
  command->footer("Example: bnnplan man | man -l -");
  command->callback([&app, &exit_code, output] {
    write_text_file(*output, manual_page(command_info(app), BNNPLAN_VERSION));
    exit_code = exit_success;
  });
}

}  // namespace bnnplan::cli
