// bnnplan simulate: transitions of an RDDL domain as a data set.
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "base/count_text.hpp"
#include "base/input_error.hpp"
#include "base/limits.hpp"
#include "base/output_file.hpp"
#include "base/stopwatch.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/file_kind.hpp"
#include "cli/live_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "problem/plan_file.hpp"
#include "rddl/compile/compile_problem.hpp"
#include "rddl/simulate/explore.hpp"
#include "rddl/simulate/replay.hpp"
#include "rddl/simulate/transition_table.hpp"

namespace bnnplan {

namespace {

constexpr std::int64_t most_episodes = 1'000'000'000;

struct SimulateOptions {
  std::string domain, instance, output, plan, policy = "uniform-legal", start = "initial";
  ExploreOptions explore;
  bool exhaustive = false, unique = false;
  std::vector<std::string> inputs, outputs, bits;
};

std::string replay_plan(const SimulateOptions& options, const Simulator& simulator, TransitionTable& table) {
  const Problem variables = compile_variables(simulator.model(), parse_given_bits(options.bits));
  const InputText input = read_input(options.plan);
  const Plan plan =
      read_as(FileKind::plan, input, [&] { return parse_plan(input.text, input.name, variables); });
  const Replay result = replay(simulator, variables, plan);
  for (std::size_t t = 0; t < result.actions.size(); ++t) {
    table.add(result.states[t], result.actions[t], result.states[t + 1]);
  }
  const std::string differs =
      result.diverges == 0 ? ""
                           : fmt::format(", other states than the plan says from step {}", result.diverges);
  return fmt::format("{}, total reward {}{}",
                     result.violation.empty() ? "the plan reaches its goal" : result.violation,
                     to_string(result.reward), differs);
}

void refuse_more_than_fits(const SimulateOptions& options, std::size_t line_bytes) {
  const auto free = free_space(options.output);
  const double bytes = static_cast<double>(options.explore.episodes) *
                       static_cast<double>(options.explore.steps) * static_cast<double>(line_bytes);
  if (!free || options.unique || bytes <= static_cast<double>(*free)) return;
  const bool large = bytes >= (1 << 30);
  const double unit = large ? 1 << 30 : 1 << 10;
  throw InputError(options.output,
                   fmt::format("the transitions can take {:.1f} {}, and {:.1f} are free: expected fewer "
                               "--episodes or --steps, fewer columns, --unique, or a name ending in .gz",
                               bytes / unit, large ? "GiB" : "KiB", static_cast<double>(*free) / unit));
}

// Counts transitions on a terminal, some times a second.
class SimulationProgress {
 public:
  void count() {
    constexpr std::uint64_t between_looks = 1000;
    constexpr double interval = 0.2;
    if (++count_ % between_looks != 0 || !line_.on_terminal() || clock_.seconds() < next_) return;
    next_ = clock_.seconds() + interval;
    line_.show(fmt::format("{} transitions, {:.0f} s", count_, clock_.seconds()));
  }

 private:
  LiveLine line_;
  Stopwatch clock_;
  double next_ = 1;
  std::uint64_t count_ = 0;
};

std::string explore_domain(const SimulateOptions& options, const Simulator& simulator,
                           const BitLayout& layout, TransitionTable& table) {
  SimulationProgress progress;
  const TransitionVisitor add = [&](const StateValues& state, const ActionValues& action,
                                    const StateValues& next) {
    table.add(state, action, next);
    progress.count();
  };
  if (options.exhaustive) {
    const ExplorationCounts counts = explore_exhaustively(simulator, layout, add);
    return fmt::format("{} simulated, {}{} without a legal action", counts.transitions,
                       counts.dead_ends_exact ? "" : "at least ", count_text(counts.dead_ends, "state"));
  }
  refuse_more_than_fits(options, table.line_bytes());
  ExploreOptions explore_options = options.explore;
  explore_options.policy =
      options.policy == "random" ? ExplorationPolicy::random : ExplorationPolicy::uniform_legal;
  explore_options.start = options.start == "anywhere" ? EpisodeStart::anywhere : EpisodeStart::initial;
  const ExplorationCounts counts = explore(simulator, layout, explore_options, add);
  const std::string searched = counts.searched == 0 ? ""
                                                    : fmt::format(", {} found by search, not drawn uniformly",
                                                                  count_text(counts.searched, "action"));
  return fmt::format("{} simulated, {} ended early{}", counts.transitions,
                     count_text(counts.dead_ends, "episode"), searched);
}

int run_simulate(const SimulateOptions& options) {
  const Simulator simulator = read_domain(options.domain, options.instance);
  const BitLayout layout = make_bit_layout(simulator.model(), parse_given_bits(options.bits));
  const std::size_t machine = machine_memory();
  OutputFile file(options.output);
  TransitionTable table(
      layout, options.inputs, options.outputs, options.unique,
      [&](std::string_view line) { file.write(line); }, machine > 0 ? machine / 4 : std::size_t{1} << 30);
  const std::string remark = options.plan.empty() ? explore_domain(options, simulator, layout, table)
                                                  : replay_plan(options, simulator, table);
  file.commit();
  print_message(
      fmt::format("{} written ({})\n", count_text(table.size(), "transition"), printable(remark, 1000)));
  return exit_success;
}

}  // namespace

void add_simulate_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("simulate", "Simulate an RDDL domain and write its transitions");
  auto options = std::make_shared<SimulateOptions>();
  command->add_option("DOMAIN", options->domain, "Domain file (.rddl)")->required();
  command->add_option("INSTANCE", options->instance, "Instance file (.rddl)")->required();
  command->add_option("-o,--output", options->output, "Data set to write, - for standard output")
      ->required()
      ->type_name("DATA.csv");
  command->add_option("--episodes", options->explore.episodes, "Episodes (1)")
      ->check(whole_number(1, most_episodes))
      ->type_name("N");
  command->add_option("--steps", options->explore.steps, "Steps of each episode (100)")
      ->check(whole_number(1, most_episodes))
      ->type_name("N");
  command->add_option("--seed", options->explore.seed, "Seed of the exploration (0)")
      ->check(whole_number(0, largest_seed))
      ->type_name("N");
  command
      ->add_option(
          "--policy", options->policy,
          "uniform-legal: every legal joint action alike (default), as far as that can be had; random: "
          "every action variable at random, again until legal")
      ->check(one_of({"random", "uniform-legal"}))
      ->type_name("POLICY");
  command
      ->add_option(
          "--start", options->start,
          "Where episodes begin: initial: in the initial state (default); anywhere: every state with "
          "a legal action alike")
      ->check(one_of({"initial", "anywhere"}))
      ->type_name("WHERE");
  CLI::Option* exhaustive = command->add_flag("--exhaustive", options->exhaustive,
                                              "All legal pairs of state and action instead of episodes");
  command->add_option("--plan", options->plan, "Replay this plan instead")
      ->type_name("PLAN.json")
      ->excludes(exhaustive);
  command->add_flag("--unique", options->unique, "Write equal lines once");
  command->add_option("--inputs", options->inputs, "Write only these fluents before the step")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FLUENT,...");
  command->add_option("--outputs", options->outputs, "Write only these fluents after the step")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FLUENT,...");
  command->add_option("--bits", options->bits, "Bits of an integer fluent, where no constraint bounds it")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=N,...");
  command->footer(
      "One column per bit: state, action, next state (with a '). Messages go to standard error.\n"
      "Example: bnnplan simulate domains/navigation.rddl domains/navigation_3x3.rddl --exhaustive -o "
      "data.csv");
  command->callback([options, &exit_code] { exit_code = run_simulate(*options); });
}

}  // namespace bnnplan
