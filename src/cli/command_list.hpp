#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace bnnplan::cli {

// The command line as plain data, read off the option parser: what completions and the manual are made of.

struct OptionInfo {
  std::string long_name, short_name;  // "--engine", "-H"; both empty for a positional argument
  std::string value;                  // what follows it, "ENGINE"; empty for a flag
  std::string description;
  std::vector<std::string> choices;  // empty: anything
  bool required = false, many = false;
};

struct CommandInfo {
  std::string name, description, footer;
  std::vector<OptionInfo> options;    // in the order of declaration
  std::vector<OptionInfo> arguments;  // positional ones
  std::vector<CommandInfo> commands;  // below this one
};

CommandInfo command_info(const CLI::App& app);

// "bnnplan check PROBLEM PLAN [OPTIONS]"
std::string synopsis(const CommandInfo& command, const std::string& path);

std::string bash_completion(const CommandInfo& program);
std::string zsh_completion(const CommandInfo& program);
std::string manual_page(const CommandInfo& program, const std::string& version);

}  // namespace bnnplan::cli
