// bnnplan plan: finds an optimal plan, proves it, has it checked, and prints it.
#include <cstdio>
#include <filesystem>
#include <memory>

#include <bnnplan/evidence.hpp>
#include <bnnplan/plan.hpp>
#include <fmt/format.h>

#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "base/stopwatch.hpp"
#include "base/text_file.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/file_kind.hpp"
#include "cli/interrupt.hpp"
#include "cli/live_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/watchdog.hpp"
#include "engines/external/known_solvers.hpp"
#include "formats/model_format.hpp"
#include "rddl/simulate/simulator.hpp"
#include "report/reproduction.hpp"

namespace bnnplan {

namespace {

struct PlanCommand {
  ProblemOptions problem;
  PlanOptions plan;
  std::optional<std::size_t> memory_mebibytes;
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
  const bool has_evidence = !options.data.empty() && outcome.plan;
  if (!options.json) {
    print(outcome_text(problem, outcome, output_style(options.colour),
                       options.picture || output_is_terminal()));
    if (has_evidence) print(evidence_text(evidence_in(options.data, problem, *outcome.plan)));
    return;
  }
  std::string json = outcome_json(problem, outcome);
  try {
    if (has_evidence) {
      const Evidence evidence = evidence_in(options.data, problem, *outcome.plan);
      json.insert(1, fmt::format("\"evidence\": {},\n ", evidence_json(evidence)));
    }
  } catch (const InputError&) {
    print(json);
    throw;
  }
  print(json);
}

// Writes and prints the result; returns the exit code.
int tell(const PlanCommand& options, const Problem& problem, const Outcome& outcome) {
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
  options.control.interrupt = catch_signals();
  std::optional<Simulator> domain;
  if (!command.repair.empty()) domain.emplace(read_domain(command.repair[0], command.repair[1]));
  if (domain) options.repair = &*domain;
  std::atomic<bool> saving = false;
  options.saving = &saving;
  const BestSoFar best(problem, options);
  const Watchdog watchdog(
      limits_of(options.control),
      [&](StopReason stopped) {
        line.clear();
        return tell(command, problem, best.outcome(stopped));
      },
      options.checkpoint.empty() ? nullptr : &saving);
  try {
    return plan(problem, options);
  } catch (const std::bad_alloc&) {  // the system's limit came first
    return best.outcome(StopReason::memory);
  } catch (const RefusedPlan& refused) {
    const auto saved = save_reproduction(std::filesystem::current_path(), problem, refused.plan);
    throw std::logic_error(fmt::format("{}; please report it with {} and the files of that name beside it",
                                       refused.what(), saved.string()));
  }
}

int run_plan(PlanCommand& command) {
  const Stopwatch stopwatch;
  RunControl& control = command.plan.control;
  if (command.memory_mebibytes) control.memory_bytes = *command.memory_mebibytes << 20;
  Problem problem;
  {
    const Watchdog watchdog(limits_of(control),
                            [&](StopReason stopped) { return tell_unread(command, stopped); });
    problem = command.problem.read_with_horizon();
  }
  if (!command.output.empty()) require_writable(command.output);
  if (!command.plan.checkpoint.empty()) require_writable(command.plan.checkpoint);
  control.seconds = time_left(control.seconds, stopwatch.seconds());
  return tell(command, problem, solve(command, problem));
}

std::string engine_help() {
  std::string text = "Which engine to use (auto; with --solver external):";
  for (const Engine& engine : engines())
    text += fmt::format("\n{} ({}): {}", engine.name, engine.guarantee, engine.help);
  return text;
}

}  // namespace

void add_plan_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("plan", "Find an optimal plan, prove it and print it");
  auto options = std::make_shared<PlanCommand>();
  PlanOptions& plan = options->plan;
  options->problem.add_to(*command);
  std::vector<std::string> names;
  for (const Engine& engine : engines()) names.emplace_back(engine.name);
  command->add_option("--engine", plan.engine, engine_help())->check(one_of(names))->type_name("ENGINE");
  command->add_flag("--first", plan.first, "Any plan will do");
  CLI::Option* solver =
      command
          ->add_option(
              "--solver", plan.solver,
              "Plan by an external solver, with this command, such as \"clasp --opt-strategy=usc\"; the "
              "model's file is\n"
              "added to it, or put in place of {model} (and {solution} is a file for the answer)")
          ->type_name("CMD");
  std::vector<std::string> formats, encodings;
  for (const ModelFormat& format : model_formats()) formats.emplace_back(format.name);
  for (const NeuronEncodingInfo& info : neuron_encodings()) encodings.emplace_back(info.name);
  command
      ->add_option("--solver-format", plan.solver_format,
                   "What the external solver reads; known for " + known_solver_names())
      ->check(one_of(formats))
      ->needs(solver)
      ->type_name("FORMAT");
  CLI::Option* neurons =
      command
          ->add_option("--neurons", plan.neurons, "How neurons become clauses, see `bnnplan encode --help`")
          ->check(one_of(encodings))
          ->type_name("ENCODING");
  command->add_option("--time-limit", plan.control.seconds, "Stop after this many seconds of wall time")
      ->check(positive_number())
      ->type_name("S");
  command
      ->add_option("--memory-limit", options->memory_mebibytes,
                   "Stop before using more memory (three quarters of the machine's if not given)")
      ->check(whole_number(1, most_mebibytes))
      ->type_name("MIB");
  command->add_option("--threads", plan.control.threads, "Threads to use (all of the machine if not given)")
      ->check(whole_number(1, most_threads))
      ->type_name("N");
  command->add_option("--seed", plan.control.seed, "Another seed may find another plan of the same cost")
      ->check(whole_number(0, largest_seed))
      ->type_name("N");
  command
      ->add_option("-o,--output", options->output,
                   "Write the plan, or that there is none, here, as --json prints it")
      ->type_name("PLAN.json");
  CLI::Option* proof = command
                           ->add_option("--proof", plan.proof,
                                        "Write a proof that the plan is optimal (by search or neuron), see "
                                        "`bnnplan check-proof --help`")
                           ->type_name("FILE");
  command->add_option("--proof-version", plan.proof_version, "Version of the VeriPB format: 1.2 or 3.0")
      ->check(one_of({"1.2", "3.0"}))
      ->needs(proof)
      ->type_name("V");
  command
      ->add_option(
          "--repair", options->repair,
          "Plan until the plan is valid in this true domain and has the same states there, excluding what "
          "the domain refuses or does otherwise")
      ->expected(2)
      ->type_name("DOMAIN.rddl INSTANCE.rddl");
  command
      ->add_option(
          "--data", options->data,
          "Measure the network on these transitions (.csv), and say how many of the plan's occur among them")
      ->type_name("DATA.csv");
  CLI::Option* checkpoint =
      command
          ->add_option(
              "--checkpoint", plan.checkpoint,
              "Save the search here now and then, and when a limit, Ctrl-C or SIGTERM ends it (by engines "
              "search and auto)")
          ->type_name("FILE");
  command->add_option("--every", plan.checkpoint_every, "Seconds between two saves (300)")
      ->check(positive_number())
      ->needs(checkpoint)
      ->type_name("S");
  CLI::Option* resume =
      command
          ->add_option(
              "--resume", plan.resume,
              "Go on from what --checkpoint saved: the same problem, horizon and seed; ends as the run would "
              "have ended")
          ->type_name("FILE");
  command->add_flag("--json", options->json, "Print one JSON object instead of a table");
  add_colour_option(*command, options->colour);
  command->add_flag("--picture", options->picture,
                    "Draw the plan as the problem's [view] says, as is done on a terminal anyway");
  command->footer(
      "Exit codes: 0 optimal (with --first: a plan), 10 a plan not proved optimal, 11 nothing found within "
      "the\n"
      "limits, 20 there is no plan, 21 (--repair) the model promises another reward than the domain gives. "
      "Ctrl-C prints the best plan so far.\n"
      "Example: bnnplan plan models/corridor.toml -o corridor.plan.json");
  command->callback([=, &exit_code] {
    PlanOptions& plan = options->plan;
    if (solver->count() > 0 && proof->count() > 0)
      throw CLI::ValidationError("--proof is for our own engines, --solver for --engine external: give one");
    if (plan.engine.empty()) plan.engine = solver->count() > 0 ? "external" : "auto";
    const bool external = plan.engine == "external";
    if (external && solver->count() == 0) throw CLI::ValidationError("--engine external takes --solver CMD");
    if (!external && solver->count() > 0) throw CLI::ValidationError("--solver is for --engine external");
    if (neurons->count() > 0 && plan.engine == "search")
      throw CLI::ValidationError("--neurons is for engines that make clauses, not for --engine search");
    if (proof->count() > 0 && (plan.engine == "maxsat" || plan.engine == "external"))
      throw CLI::ValidationError("--proof is for --engine auto, search or neuron");
    if (proof->count() > 0 && (plan.proof == "-" || plan.proof.empty()))
      throw CLI::ValidationError(fmt::format("--proof: '{}', expected a file", plan.proof));
    if (proof->count() > 0 && !options->repair.empty())
      throw CLI::ValidationError("--proof is about one problem, --repair plans for one after the other");
    for (const auto& [option, file] :
         {std::pair(checkpoint, &plan.checkpoint), std::pair(resume, &plan.resume)}) {
      if (option->count() == 0) continue;
      const std::string name = option->get_name();
      if (plan.engine != "search" && plan.engine != "auto")
        throw CLI::ValidationError(name + " is for --engine search and auto");
      if (!options->repair.empty())
        throw CLI::ValidationError(name + " is about one problem, --repair plans for one after the other");
      if (file->empty() || *file == "-")
        throw CLI::ValidationError(fmt::format("{}: '{}', expected a file", name, *file));
    }
    exit_code = run_plan(*options);
  });
}

}  // namespace bnnplan
