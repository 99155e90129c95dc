// bnnplan discover: learns, plans and tries in turn, beginning with no data.
#include <bnnplan/discover.hpp>
#include <fmt/format.h>

#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/engines/external/known_solvers.hpp"

namespace bnnplan::cli {

namespace {

struct DiscoverCommand {
  std::string first, second, world, output;
  bool quiet = false, outside = false, json = false;
  DiscoverySettings settings;
};

Discovery discovery_of(const DiscoverCommand& command, const DiscoverySettings& settings) {
  if (command.world.empty()) {
    return read_files_as(FileKind::rddl, {command.first, command.second},
                         [&] { return discover(command.first, command.second, settings); });
  }
  const InputText input = read_input(command.first);
  const Problem problem = read_as(FileKind::problem, input, [&] {
    return parse_open_problem(input.text, input.name, input.folder, references_of(command.outside));
  });
  return discover(problem, engines::command_words(command.world), settings);
}

int exit_code_of(const Discovered& found) {
  if (found.world == WorldStatus::infeasible) return exit_infeasible;
  if (found.world == WorldStatus::none) return exit_unknown;
  return found.optimal_in_model ? exit_success : exit_plan;
}

int run_discover(const DiscoverCommand& command) {
  if (command.world.empty() && command.second.empty())
    throw CLI::ValidationError("expected DOMAIN.rddl and INSTANCE.rddl, or PROBLEM.toml and --world CMD");
  if (!command.world.empty() && !command.second.empty())
    throw CLI::ValidationError("--world takes one PROBLEM.toml, not a domain and an instance");
  DiscoverySettings settings = command.settings;
  settings.limits.interrupt = catch_signals();
  if (!command.quiet) {
    settings.numbered_round = [](const Problem& problem, std::size_t number, const DiscoverRound& round) {
      print_message(round_text(problem, number, round) + "\n");
    };
  }
  const Discovery discovery = discovery_of(command, settings);
  write_discovery(command.output, discovery);
  const Discovered& found = discovery.found;
  Answer answer = answer_of(discovery, output_style("auto"));
  answer.add("folder", command.output);
  answer.say(fmt::format("wrote {} (data.csv, network.bnn, problem.toml, {}index.html)\n",
                         printable(command.output), found.plan ? "plan.json, " : ""));
  print(answer, command.json);
  return discovery.check && !discovery.check->promise.empty() ? exit_other_reward : exit_code_of(found);
}

}  // namespace

void add_discover_command(CLI::App& app, int& exit_code) {
  auto [command, options] = add_command(
      app, exit_code, "discover",
      "Learn, plan and try in turn, beginning with no data, until the plan holds in the world", run_discover);
  add_argument(
      command, "DOMAIN", options.first,
      "Domain (.rddl) that is the world; with --world the problem (.toml), whose transitions may be open");
  command.add_option("INSTANCE", options.second, "Instance of the domain (.rddl)");
  add_file_option(
      command, "--world", options.world,
      "The world is this program: it reads a state and an action and prints the next state, a line "
      "each (docs/discover.md), such as \"python3 world.py\"",
      "CMD");
  add_output_option(command, options.output, "Folder to write: data, network, problem, plan, page", "DIR");
  add_options(command, options_of(options.settings));
  add_outside_option(command, options.outside);
  command.add_flag("--quiet", options.quiet, "No line for every round");
  add_json_option(command, options.json);
  command.footer(
      "Ends when the world does what the plan says. What that proves is said for the model and for the world "
      "apart.\n"
      "Exit codes: 0 the plan holds and is optimal in the model, 10 it holds, 11 no plan that holds was "
      "found, 20 there is\n"
      "none in the world, 21 the model promises another reward than the domain gives.\n"
      "Example: bnnplan discover domains/navigation.rddl domains/navigation_3x3.rddl -o found");
}

}  // namespace bnnplan::cli
