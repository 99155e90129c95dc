// bnnplan import fd-sat-plan: published problems into our formats. Networks of other tools are in
// import_network.cpp.
#include <filesystem>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/problem/fd_sat_plan.hpp"
#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::cli {

namespace {

struct PublishedProblemOptions {
  std::string folder, domain, instance, output;
  std::optional<std::int64_t> horizon;
};

int run_import(const PublishedProblemOptions& options) {
  const std::filesystem::path output = options.output;
  if (output.extension() != ".toml")
    throw InputError(options.output, "the output must be named *.toml: the network goes beside it as *.bnn");
  Problem problem = read_fd_sat_plan(options.folder, options.domain, options.instance);
  if (options.horizon) set_horizon(problem, *options.horizon);
  problem.network_file = output.stem().string() + ".bnn";
  write_problem(output, problem);
  print(fmt::format("wrote {} and {} ({}, {} state bits, {} action bits)\n", printable(output.string()),
                    printable((output.parent_path() / problem.network_file).string()),
                    shape_text(*problem.network), problem.state.bit_count(), problem.action.bit_count()));
  return exit_success;
}

}  // namespace

void add_import_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("import", "Read networks of other tools, and published problems, into our formats");
  command->require_subcommand(1);
  auto [format, options] =
      add_command(*command, exit_code, "fd-sat-plan", "Read the files of FD-SAT-Plan", run_import);
  add_argument(format, "DIR", options.folder, "Folder with bnn/, normalization/ and translation/");
  add_argument(format, "DOMAIN", options.domain, "Domain, such as navigation");
  add_argument(format, "INSTANCE", options.instance, "Instance, such as 3x3");
  add_output_option(format, options.output, "Problem file to write; the network goes beside it as .bnn",
                    "OUT.toml");
  Option horizon = describing::horizon_option(options.horizon);
  horizon.help = "Horizon to write into the problem (the published files have none)";
  add_options(format, {horizon});
  format.footer("Example: bnnplan import fd-sat-plan fd-sat-plan navigation 3x3 -H 4 -o navigation_3x3.toml");
  add_import_network_commands(*command, exit_code);
}

}  // namespace bnnplan::cli
