// bnnplan discover: learns, plans and tries in turn, beginning with no data.
#include <memory>

#include <bnnplan/discover.hpp>
#include <fmt/format.h>

#include "base/count_text.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/file_kind.hpp"
#include "cli/interrupt.hpp"
#include "cli/live_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "engines/external/known_solvers.hpp"
#include "report/plan_table.hpp"

namespace bnnplan {

namespace {

struct DiscoverCommand {
  std::string first, second, world, output, ask = "plan", determinize, until;
  std::vector<std::string> goals, bits;
  bool quiet = false, outside = false;
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
  return discover(problem, command_words(command.world), settings);
}

int exit_code_of(const Discovered& found) {
  if (found.world == WorldStatus::infeasible) return exit_infeasible;
  if (found.world == WorldStatus::none) return exit_unknown;
  return found.optimal_in_model ? exit_success : exit_plan;
}

int run_discover(const DiscoverCommand& command) {
  DiscoverySettings settings = command.settings;
  settings.asking = command.ask == "random" ? Asking::random : Asking::by_plan;
  settings.compile.goals = command.goals;
  settings.compile.bits = parse_given_bits(command.bits);
  if (!command.determinize.empty())
    settings.compile.determinization = parse_determinization(command.determinize);
  if (!command.until.empty()) {
    const auto until = parse_decimal(command.until);
    if (!until) throw InputError(fmt::format("--until '{}', expected a number", printable(command.until)));
    settings.until_worth = *until;
  }
  settings.control.interrupt = catch_signals();
  if (!command.quiet) {
    settings.round = [](const Problem& problem, std::size_t number, const DiscoverRound& round) {
      print_message(round_text(problem, number, round) + "\n");
    };
  }
  const Discovery discovery = discovery_of(command, settings);
  write_discovery(command.output, discovery);
  const Discovered& found = discovery.found;
  std::string text;
  if (found.plan) text = plan_table(found.problem, *found.plan, 200, output_style("auto")) + "\n";
  text += discovery_text(found);
  if (discovery.check && discovery.check->world) {
    text += replay_text(*discovery.check->world);
    if (!discovery.check->promise.empty()) text += discovery.check->promise + "\n";
  }
  text += fmt::format("wrote {} (data.csv, network.bnn, problem.toml, {}index.html)\n",
                      printable(command.output), found.plan ? "plan.json, " : "");
  print(text);
  return discovery.check && !discovery.check->promise.empty() ? exit_other_reward : exit_code_of(found);
}

}  // namespace

void add_discover_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "discover", "Learn, plan and try in turn, beginning with no data, until the plan holds in the world");
  auto options = std::make_shared<DiscoverCommand>();
  DiscoverySettings& settings = options->settings;
  command
      ->add_option(
          "DOMAIN", options->first,
          "Domain (.rddl) that is the world; with --world the problem (.toml), whose transitions may be open")
      ->required();
  CLI::Option* instance = command->add_option("INSTANCE", options->second, "Instance of the domain (.rddl)");
  CLI::Option* world =
      command
          ->add_option(
              "--world", options->world,
              "The world is this program: it reads a state and an action and prints the next state, a line "
              "each (docs/discover.md), such as \"python3 world.py\"")
          ->type_name("CMD");
  command->add_option("-o,--output", options->output, "Folder to write: data, network, problem, plan, page")
      ->required()
      ->type_name("DIR");
  command->add_option("-H,--horizon", settings.horizon, "Number of steps, instead of the one stated")
      ->check(whole_number(1, horizon_limit))
      ->type_name("N");
  command->add_flag("--prove", settings.prove,
                    "Go on until the plan is proved optimal in the world, which takes more questions");
  command
      ->add_option("--until", options->until,
                   "Go on until a plan that holds has at most this cost (or at least this reward)")
      ->type_name("WORTH");
  command->add_option("--questions", settings.most_questions, "Most questions to the world (100000)")
      ->check(whole_number(1, 1'000'000'000))
      ->type_name("N");
  command
      ->add_option(
          "--ask", options->ask,
          "plan: what plans rely on, then what is newest (default); random: random actions, to compare")
      ->check(one_of({"plan", "random"}))
      ->type_name("HOW");
  command
      ->add_option("--goal", options->goals,
                   "A condition on the last state, beside those of the domain's files")
      ->allow_extra_args(false)
      ->type_name("CONDITION");
  command
      ->add_option("--determinize", options->determinize,
                   "What to take for a random outcome of the domain: most-likely, threshold=P, sample=SEED")
      ->type_name("HOW");
  command->add_option("--bits", options->bits, "Bits of integers that no constraint bounds")
      ->delimiter(',')
      ->type_name("NAME=N,...");
  add_outside_option(*command, options->outside);
  command->add_option("--time-limit", settings.control.seconds, "Stop after this many seconds of wall time")
      ->check(positive_number())
      ->type_name("S");
  command
      ->add_option("--threads", settings.control.threads, "Threads to use (all of the machine if not given)")
      ->check(whole_number(1, most_threads))
      ->type_name("N");
  command->add_option("--seed", settings.control.seed, "Seed of what is random (0)")
      ->check(whole_number(0, largest_seed))
      ->type_name("N");
  command->add_flag("--quiet", options->quiet, "No line for every round");
  command->footer(
      "Ends when the world does what the plan says. What that proves is said for the model and for the world "
      "apart.\n"
      "Exit codes: 0 the plan holds and is optimal in the model, 10 it holds, 11 no plan that holds was "
      "found, 20 there is\n"
      "none in the world, 21 the model promises another reward than the domain gives.\n"
      "Example: bnnplan discover domains/navigation.rddl domains/navigation_3x3.rddl -o found");
  command->callback([=, &exit_code] {
    if (world->count() == 0 && instance->count() == 0)
      throw CLI::ValidationError("expected DOMAIN.rddl and INSTANCE.rddl, or PROBLEM.toml and --world CMD");
    if (world->count() > 0 && instance->count() > 0)
      throw CLI::ValidationError("--world takes one PROBLEM.toml, not a domain and an instance");
    exit_code = run_discover(*options);
  });
}

}  // namespace bnnplan
