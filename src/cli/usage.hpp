#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "bnnplan/base/option.hpp"

namespace bnnplan::cli {

// What a person sees who starts the program without a word: what it is for, the first commands, where to read
// on.
std::string overview(const CLI::App& app);

// What is wrong with a first word that is not a command, or "" if it is one (or an option): the command that
// was likely meant, or the one for the file that was given instead.
std::string unknown_command(const CLI::App& app, const std::string& word);

// A command line that the option parser refused, in one line: the unknown option or argument and the one that
// was likely meant, or what is missing, and which --help says more.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

// The same for options that the library refuses.
std::string usage_error(const CLI::App& app, const OptionError& error);

// "bnnplan import fd-sat-plan"
std::string command_path(const CLI::App& command);

// The command with this name below `app`, null if there is none.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

// "unknown WHAT 'plna', did you mean 'plan'?"
std::string unknown_word(const std::string& what, const std::string& word,
                         const std::vector<std::string>& known);

}  // namespace bnnplan::cli
