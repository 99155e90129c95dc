// bnnplan simulate: transitions of an RDDL domain as a data set.
#include <bnnplan/check.hpp>
#include <bnnplan/domain.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/live_line.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/problem/plan_file.hpp"

namespace bnnplan::cli {

namespace {

struct SimulateCommand {
  DomainOptions source;
  std::string output, plan;
  SimulateOptions simulate;
};

std::string remark_on(const SimulateOptions& options, const SimulationResult& result) {
  if (result.replay) {
    const Replay& replay = *result.replay;
    const std::string differs =
        replay.diverges == 0 ? ""
                             : fmt::format(", other states than the plan says from step {}", replay.diverges);
    return fmt::format("{}, total reward {}{}",
                       replay.violation.empty() ? "the plan reaches its goal" : replay.violation,
                       to_string(replay.reward), differs);
  }
  const ExplorationCounts& counts = result.counts;
  if (options.exhaustive)
    return fmt::format("{} simulated, {}{} without a legal action", counts.transitions,
                       counts.dead_ends_exact ? "" : "at least ", count_text(counts.dead_ends, "state"));
  const std::string searched = counts.searched == 0 ? ""
                                                    : fmt::format(", {} found by search, not drawn uniformly",
                                                                  count_text(counts.searched, "action"));
  const std::string terminated =
      (counts.terminated == 0 ? "" : fmt::format(", {} terminated", counts.terminated)) +
      (counts.left == 0 ? "" : fmt::format(", {} left the invariants", counts.left));
  std::string returns;
  if (options.values) {
    const double half = half_interval(result.deviation, options.explore.episodes);
    returns = fmt::format(", mean reward of an episode {:.6g}", result.mean_return);
    if (options.explore.episodes > 1) returns += fmt::format(" +- {:.3g}", half);
  }
  return fmt::format("{} simulated, {} ended early{}{}{}", counts.transitions,
                     count_text(counts.dead_ends, "episode"), terminated, searched, returns);
}

int run_simulate(const SimulateCommand& command) {
  Simulator simulator = command.source.read();
  SimulateOptions options = command.simulate;
  if (!command.plan.empty()) {
    const InputText input = read_input(command.plan);
    options.plan = read_as(FileKind::plan, input, [&] {
      return parse_plan(input.text, input.name, variables_of(simulator, options.bits));
    });
  }
  LiveLine line;
  const Stopwatch clock;
  double next_line = 1;  // second
  options.progress = [&](std::uint64_t count) {
    if (count % 1000 != 0 || !line.on_terminal() || clock.seconds() < next_line) return;
    next_line = clock.seconds() + 0.2;
    line.show(fmt::format("{} transitions, {:.0f} s", count, clock.seconds()));
  };
  const SimulationResult result = simulate(simulator, options, command.output);
  line.clear();
  print_message(fmt::format("{} written ({})\n", count_text(result.lines, "transition"),
                            printable(remark_on(options, result), 1000)));
  return exit_success;
}

}  // namespace

void add_simulate_command(CLI::App& app, int& exit_code) {
  auto [command, options] = add_command(app, exit_code, "simulate",
                                        "Simulate an RDDL domain and write its transitions", run_simulate);
  options.source.add_files(command);
  add_output_option(command, options.output, "Data set to write, - for standard output", "DATA.csv");
  add_options(command, options_of(options.simulate));
  command.add_option("--plan", options.plan, "Replay this plan instead")
      ->type_name("PLAN.json")
      ->excludes("--exhaustive");
  options.source.add_instance_name(command);
  command.footer(
      "One column per bit: state, action, next state (with a '). Messages go to standard error.\n"
      "Example: bnnplan simulate domains/navigation.rddl domains/navigation_3x3.rddl --exhaustive -o "
      "data.csv");
}

}  // namespace bnnplan::cli
