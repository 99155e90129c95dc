#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <bnnplan/problem.hpp>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/option.hpp"

namespace bnnplan::rddl {
class Simulator;
}  // namespace bnnplan::rddl

namespace bnnplan::cli {

// Adds a command that is run with its options, which live as long as it does: the command, and the options.
template <class Options>
auto add_command(CLI::App& app, int& exit_code, const std::string& name, const std::string& help,
                 int (*run)(Options&)) {
  using Kept = std::remove_const_t<Options>;
  CLI::App* command = app.add_subcommand(name, help);
  auto options = std::make_shared<Kept>();
  command->callback([=, &exit_code] { exit_code = run(*options); });
  return std::pair<CLI::App&, Kept&>(*command, *options);
}

// An argument that has to be given, the name of a file, and -o, --output, which has to be given.
template <class Place>
void add_argument(CLI::App& command, const char* name, Place& place, const std::string& help) {
  command.add_option(name, place, help)->required();
}
template <class Place>
CLI::Option* add_file_option(CLI::App& command, const char* name, Place& place, const char* help,
                             const char* type) {
  return command.add_option(name, place, help)->type_name(type);
}
template <class Place>
void add_output_option(CLI::App& command, Place& place, const char* help, const char* type) {
  command.add_option("-o,--output", place, help)->required()->type_name(type);
}

// The options that name a problem, shared by the commands that take one.
struct ProblemOptions {
  std::string file;
  ReadOptions options;

  void add_to(CLI::App& command, const std::string& name = "PROBLEM",
              const std::string& help = "Problem file (.toml), - for standard input");

  // From standard input if the file is "-", with the horizon replaced, if one was given.
  Problem read() const;

  // The same; throws InputError if neither the file nor -H states a horizon.
  Problem read_with_horizon() const;
};

// The problem of this file, or from standard input if it is "-".
Problem read_problem_argument(const std::string& file, const ReadOptions& options);

// The arguments that name a domain, shared by the commands that take one. The files are the first arguments
// of a command, which instance is meant comes late in its help.
struct DomainOptions {
  std::string domain, instance, instance_name;

  void add_files(CLI::App& command);
  void add_instance_name(CLI::App& command);
  rddl::Simulator read() const;
};

// The simulator of a domain and an instance that were named on the command line.
rddl::Simulator read_domain(const std::string& domain, const std::string& instance,
                            const std::string& instance_name = "");

// --allow-outside alone, for commands that have no use for a horizon.
void add_outside_option(CLI::App& command, bool& outside);
References references_of(bool outside);

// --color, for output_style (output.hpp).
void add_colour_option(CLI::App& command, std::string& colour);

// --json, for print() (output.hpp).
void add_json_option(CLI::App& command, bool& json);

// Adds the options of a command as they are described (base/option.hpp). What they are kept in must outlive
// the parser.
void add_options(CLI::App& command, const std::vector<Option>& options);

}  // namespace bnnplan::cli
