// bnnplan plan: finds an optimal plan, proves it, has it checked, and prints it.
#include <cstdio>
#include <filesystem>

#include <bnnplan/evidence.hpp>
#include <bnnplan/plan.hpp>
#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/live_line.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/cli/watchdog.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"
#include "bnnplan/report/reproduction.hpp"

namespace bnnplan::cli {

namespace {

struct PlanCommand {
  ProblemOptions problem;
  PlanOptions plan;
  std::string output;
  bool json = false;
  std::string colour = "auto";
  bool picture = false;
  std::vector<std::string> repair;  // domain and instance
  std::string data;                 // that the plan's transitions are looked up in
};

Evidence evidence_in(const std::string& file, const Problem& problem, const Plan& plan) {
  const InputText input = read_input(file);
  return read_as(FileKind::data, input, [&] {
    return evidence_of(problem, plan, parse_data_set(input.text, input.name, data_options_of(problem)));
  });
}

// Whatever is wrong with the data, the plan is printed first.
void print_with_evidence(const PlanCommand& options, const Problem& problem, const Outcome& outcome) {
  Answer answer{outcome_fields(problem, outcome), ""};
  if (!options.json)
    print(outcome_text(problem, outcome, output_style(options.colour),
                       options.picture || output_is_terminal()));
  try {
    if (!options.data.empty() && outcome.plan) {
      Answer evidence = answer_of(evidence_in(options.data, problem, *outcome.plan));
      answer.say(evidence.text);
      answer.add("evidence", std::move(evidence.fields));
    }
  } catch (const InputError&) {
    if (options.json) print(answer.json());
    throw;
  }
  print(answer, options.json);
}

// Writes and prints the result; returns the exit code.
int tell(const PlanCommand& options, const Problem& given, const Outcome& outcome) {
  const Problem problem = problem_of(outcome, given);
  if (!options.output.empty()) write_text_file(options.output, outcome_json(problem, outcome));
  if (!options.plan.proof.empty() && outcome.proof.empty())
    print_message(fmt::format("bnnplan: no proof, {} is not written\n", printable(options.plan.proof)));
  if (options.output != "-") print_with_evidence(options, problem, outcome);
  if (!outcome.checkpoint_error.empty()) {
    print_message(fmt::format("{}\n", printable(outcome.checkpoint_error, 2000)));
    return exit_bad_input;
  }
  return breaks_promise(problem, outcome) ? exit_other_reward
                                          : exit_code_of(outcome.status, options.plan.first);
}

// There is no plan yet, and hardly a problem.
int tell_unread(const PlanCommand& options, StopReason stopped) {
  Outcome outcome;
  outcome.engine = engine_of(options.plan).name;
  outcome.stopped = stopped;
  const std::string file = shown_name(options.problem.file);
  Problem problem;
  problem.name = std::filesystem::path(file).stem().string();
  if (!options.output.empty()) write_text_file(options.output, outcome_json(problem, outcome));
  if (options.output == "-") return exit_unknown;
  print(options.json
            ? outcome_json(problem, outcome)
            : fmt::format("unknown: {} while {} was read\n", stop_reason_text(stopped), printable(file)));
  return exit_unknown;
}

Outcome solve(const PlanCommand& command, const Problem& problem) {
  PlanOptions options = command.plan;
  LiveLine line;
  if (line.on_terminal()) {
    options.callbacks.progress = [&](const Progress& progress) {
      line.show(progress_text(problem, progress));
    };
  }
  options.limits.interrupt = catch_signals();
  std::optional<Simulator> domain;
  if (!command.repair.empty()) domain.emplace(read_domain(command.repair[0], command.repair[1]));
  if (domain) options.repair = &*domain;
  std::atomic<bool> saving = false;
  options.checkpoint.saving = &saving;
  const BestSoFar best(problem, options);
  const Watchdog watchdog(
      on_this_machine(options.limits),
      [&](StopReason stopped) {
        line.clear();
        return tell(command, problem, best.outcome(stopped));
      },
      options.checkpoint.file.empty() ? nullptr : &saving);
  try {
    return plan(problem, options);
  } catch (const std::bad_alloc&) {  // the system's limit came first
    return best.outcome(StopReason::memory);
  } catch (const RefusedPlan& refused) {
    const auto saved = reporting::save_reproduction(std::filesystem::current_path(), problem, refused.plan);
    throw std::logic_error(fmt::format("{}; please report it with {} and the files of that name beside it",
                                       refused.what(), saved.string()));
  }
}

int run_plan(PlanCommand& command) {
  validate(command.plan);
  const Stopwatch stopwatch;
  Limits& limits = command.plan.limits;
  Problem problem;
  {
    const Watchdog watchdog(on_this_machine(limits),
                            [&](StopReason stopped) { return tell_unread(command, stopped); });
    problem = command.plan.shortest ? command.problem.read() : command.problem.read_with_horizon();
    if (command.plan.shortest && !command.problem.options.horizon) problem.horizon = 0;
  }
  if (!command.output.empty()) require_writable(command.output);
  if (!command.plan.checkpoint.file.empty()) require_writable(command.plan.checkpoint.file);
  limits = limits.after(stopwatch.seconds());
  return tell(command, problem, solve(command, problem));
}

}  // namespace

void add_plan_command(CLI::App& app, int& exit_code) {
  auto [command, options] =
      add_command(app, exit_code, "plan", "Find an optimal plan, prove it and print it", run_plan);
  options.problem.add_to(command);
  add_options(command, options_of(options.plan));
  add_file_option(command, "-o,--output", options.output,
                  "Write the plan, or that there is none, here, as --json prints it", "PLAN.json");
  add_file_option(
      command, "--repair", options.repair,
      "Plan until the plan is valid in this true domain and has the same states there, excluding what "
      "the domain refuses or does otherwise",
      "DOMAIN.rddl INSTANCE.rddl")
      ->expected(2)
      ->excludes("--proof", "--checkpoint", "--resume", "--shortest");
  add_file_option(
      command, "--data", options.data,
      "Measure the network on these transitions (.csv), and say how many of the plan's occur among them",
      "DATA.csv");
  add_json_option(command, options.json);
  add_colour_option(command, options.colour);
  command.add_flag("--picture", options.picture,
                   "Draw the plan as the problem's [view] says, as is done on a terminal anyway");
  command.footer(
      "Exit codes: 0 optimal (with --first: a plan), 10 a plan not proved optimal, 11 nothing found within "
      "the\n"
      "limits, 20 there is no plan, 21 (--repair) the model promises another reward than the domain gives. "
      "Ctrl-C prints the best plan so far.\n"
      "Example: bnnplan plan models/corridor.toml -o corridor.plan.json");
}

}  // namespace bnnplan::cli
