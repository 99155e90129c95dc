// bnnplan-mpi plan: one problem, planned by all ranks together.
#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>

#include <bnnplan/plan.hpp>
#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/live_line.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/engines/result_file.hpp"
#include "bnnplan/mpi/commands.hpp"
#include "bnnplan/ranks/agreement.hpp"
#include "bnnplan/ranks/rank_search.hpp"
#include "bnnplan/report/outcome_text.hpp"

namespace bnnplan::mpi {

namespace {

struct PlanByRanks {
  cli::ProblemOptions problem;
  PlanOptions plan;
  std::optional<std::size_t> memory_of_all_mebibytes;
  std::string output;
  bool json = false;
  std::string colour = "never";  // mpirun is a terminal to its ranks, wherever their output goes
  bool picture = false;
  std::optional<double> progress_interval;
};

// What a rank may use if no limit is given: its part of three quarters of the memory of its machine, and of
// the processors.
Limits limits_of_rank(const PlanByRanks& options, const MpiRanks& ranks) {
  const auto neighbours = static_cast<unsigned>(ranks.ranks_of_this_machine());
  const Limits& given = options.plan.limits;
  Limits limits = on_this_machine(given);
  if (given.memory_bytes == Limits().memory_bytes) limits.memory_bytes /= neighbours;
  if (given.threads == 0) limits.threads = std::max(1u, limits.threads / neighbours);
  limits.interrupt = cli::catch_signals();
  return limits;
}

int run_plan_by_ranks(const PlanByRanks& options, MpiRanks& ranks) {
  const bool tells = ranks.rank() == 0;
  Problem problem;
  ranks::act_alone(ranks, [&] {
    problem = options.problem.read_with_horizon();
    if (tells && !options.output.empty()) require_writable(options.output);
    if (tells && !options.plan.checkpoint.file.empty()) require_writable(options.plan.checkpoint.file);
  });
  EngineRequest request;
  request.limits = limits_of_rank(options, ranks);
  request.checkpoint = options.plan.checkpoint;
  cli::LiveLine line;
  double next_line = options.progress_interval.value_or(0);
  if (tells && options.progress_interval) {
    request.callbacks.progress = [&](const Progress& progress) {
      if (progress.seconds < next_line) return;
      cli::print_message(progress_text(problem, progress) + "\n");
      next_line = progress.seconds + *options.progress_interval;
    };
  } else if (tells && line.on_terminal()) {
    request.callbacks.progress = [&](const Progress& progress) {
      line.show(progress_text(problem, progress));
    };
  }
  ranks::RankLimits limits;
  if (options.memory_of_all_mebibytes) limits.memory_of_all = *options.memory_of_all_mebibytes << 20;
  const Outcome outcome = ranks::plan_by_ranks(ranks, problem, request, limits);
  line.clear();
  ranks::act_alone(ranks, [&] {
    if (!tells) return;
    if (!options.output.empty()) write_text_file(options.output, outcome_json(problem, outcome));
    if (options.output == "-") return;
    cli::print(options.json
                   ? outcome_json(problem, outcome)
                   : outcome_text(problem, outcome, cli::output_style(options.colour), options.picture));
  });
  if (!outcome.checkpoint_error.empty()) {
    if (tells) cli::print_message(fmt::format("{}\n", printable(outcome.checkpoint_error, 2000)));
    return cli::exit_bad_input;
  }
  return cli::exit_code_of(outcome.status);
}

}  // namespace

void add_plan_by_ranks(CLI::App& app, MpiRanks& ranks, int& exit_code) {
  CLI::App* command = app.add_subcommand("plan", "Find an optimal plan by all ranks together, and prove it");
  auto options = std::make_shared<PlanByRanks>();
  options->problem.add_to(*command, "PROBLEM", "Problem file (.toml), which every rank reads");
  std::vector<Option> shared = describing::only(
      options_of(options->plan),
      {"time-limit", "memory-limit", "threads", "seed", "checkpoint", "checkpoint-every", "resume"});
  describing::option_named(shared, "memory-limit").help =
      "What one rank may use (three quarters of its machine's memory, shared by the ranks there)";
  describing::option_named(shared, "threads").help =
      "Threads of one rank (the processors of its machine, shared by the ranks there)";
  describing::option_named(shared, "checkpoint").help =
      "Save the search here now and then, and when a limit or a signal ends it: this file and one for each "
      "rank\n"
      "beside it, on a file system that all ranks share";
  describing::option_named(shared, "resume").help =
      "Continue from what --checkpoint saved, by any number of ranks; ends as that run would have ended";
  cli::add_options(*command, shared);
  cli::add_options(
      *command,
      {{"memory-limit-of-all", describing::field(options->memory_of_all_mebibytes),
        "What all ranks may use together (no limit of its own)", "MIB",
        describing::option_named(shared, "memory-limit").range},
       {"progress", describing::field(options->progress_interval),
        "Say on standard error how far it is, every S seconds (mpirun is not a terminal)", "S", above_zero}});
  command->add_option("-o,--output", options->output, "Write the plan, or that there is none, here as JSON")
      ->type_name("PLAN.json");
  command->add_flag("--json", options->json, "Print one JSON object instead of a table");
  cli::add_colour_option(*command, options->colour);
  command->add_flag("--picture", options->picture, "Draw the plan as the problem's [view] says");
  command->footer(
      "Exit codes: 0 optimal, 10 a plan not proved optimal, 11 nothing found within the limits, 20 there is "
      "no plan.\n"
      "Example: mpirun -n 4 bnnplan-mpi plan models/corridor.toml");
  command->callback([=, &ranks, &exit_code] { exit_code = run_plan_by_ranks(*options, ranks); });
}

}  // namespace bnnplan::mpi
