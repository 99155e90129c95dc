// bnnplan plan: finds an optimal plan, proves it, has it checked, and prints it.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "base/stopwatch.hpp"
#include "base/text_file.hpp"
#include "check/plan_check.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/file_kind.hpp"
#include "cli/interrupt.hpp"
#include "cli/live_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/watchdog.hpp"
#include "engines/checked_run.hpp"
#include "engines/external/known_solvers.hpp"
#include "engines/repair.hpp"
#include "engines/result_file.hpp"
#include "formats/model_format.hpp"
#include "problem/worth.hpp"
#include "rddl/simulate/domain_judge.hpp"
#include "report/outcome_text.hpp"
#include "report/reproduction.hpp"

namespace bnnplan {

namespace {

struct PlanOptions {
  ProblemOptions problem;
  std::string engine;  // as given, or as the other options ask for
  bool first = false;
  std::string solver, solver_format;
  std::string proof, proof_version = "1.2";
  std::optional<std::string> neurons;
  std::optional<double> seconds;
  std::optional<std::size_t> memory_mebibytes;
  unsigned threads = 0;
  std::uint64_t seed = 0;
  std::string output;
  bool json = false;
  std::string colour = "auto";
  bool picture = false;
  std::vector<std::string> repair;  // domain and instance
};

// Of which plans the answer speaks.
std::string among(const PlanOptions& options) {
  return options.repair.empty() ? "" : "plans on which model and domain agree";
}

Limits limits_of(const PlanOptions& options) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  Limits limits;
  limits.seconds = options.seconds;
  if (options.memory_mebibytes) {
    limits.memory_bytes = *options.memory_mebibytes * mebibyte;
  } else if (const std::size_t machine = machine_memory(); machine > 0) {
    limits.memory_bytes = machine / 4 * 3;
  }
  limits.threads = options.threads > 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  limits.seed = options.seed;
  return limits;
}

// What a run has told so far, for when it has to be ended.
class BestSoFar {
 public:
  std::function<std::string(const Plan&)> domain_reward;  // if there is a domain to ask

  void listen(EngineCallbacks& callbacks) {
    callbacks.improvement = [this](const Improvement& improvement) {
      const std::lock_guard lock(mutex_);
      outcome_.plan = improvement.plan();
      outcome_.cost = improvement.cost;
      if (domain_reward) outcome_.domain_reward = domain_reward(*outcome_.plan);
    };
    callbacks.bound = [this](const BoundPoint& bound) {
      const std::lock_guard lock(mutex_);
      outcome_.bounds.push_back(bound);
      if (bound.lower) outcome_.lower_bound = bound.lower;
    };
  }

  // As an engine would have returned it.
  Outcome outcome(const Problem& problem, const PlanOptions& options, StopReason stopped) {
    const std::lock_guard lock(mutex_);
    Outcome outcome = outcome_;
    outcome.engine = options.engine;
    outcome.among = among(options);
    outcome.seconds = stopwatch_.seconds();
    if (!outcome.plan) {
      outcome.stopped = stopped;
      return outcome;
    }
    PlanCheck check = check_plan(problem, *outcome.plan);
    if (!check.accepted) throw std::logic_error("the best plan so far is refused: " + check.violation);
    outcome.plan = std::move(check.plan);
    const bool proved = !options.first && outcome.lower_bound == outcome.cost;
    outcome.status = proved ? Status::optimal : Status::plan;
    if (!proved) outcome.stopped = stopped;
    return outcome;
  }

 private:
  std::mutex mutex_;
  Stopwatch stopwatch_;
  Outcome outcome_;
};

// Writes and prints the result; returns the exit code.
int tell(const PlanOptions& options, const Problem& problem, const Outcome& outcome) {
  if (!options.output.empty()) write_text_file(options.output, outcome_json(problem, outcome));
  if (!options.proof.empty() && outcome.proof.empty())
    print_message(fmt::format("bnnplan: nothing proved, {} is not written\n", printable(options.proof)));
  if (options.output != "-") {
    print(options.json ? outcome_json(problem, outcome)
                       : outcome_text(problem, outcome, output_style(options.colour),
                                      options.picture || output_is_terminal()));
  }
  const bool promised = outcome.domain_reward.empty() || !outcome.cost ||
                        promise_text(problem, *outcome.cost, outcome.domain_reward).empty();
  return promised ? exit_code_of(outcome.status, options.first) : exit_other_reward;
}

// There is no plan yet, and hardly a problem.
int tell_unread(const PlanOptions& options, StopReason stopped) {
  Outcome outcome;
  outcome.engine = options.engine;
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

Outcome solve(const PlanOptions& options, const Limits& limits, Problem& problem) {
  EngineRequest request;
  request.limits = limits;
  request.first = options.first;
  if (options.neurons) request.neurons = neuron_encoding_named(*options.neurons);
  request.solver = options.solver;
  request.proof = options.proof;
  request.proof_version = options.proof_version;
  request.solver_format = options.solver_format;
  LiveLine line;
  if (line.on_terminal()) {
    request.callbacks.progress = [&](const Progress& progress) {
      line.show(progress_text(problem, progress));
    };
  }
  request.limits.interrupt = catch_signals();
  const Engine& engine = *find_engine(options.engine);
  BestSoFar best;
  best.listen(request.callbacks);
  const std::optional<Problem> before_repair =
      options.repair.empty() ? std::nullopt : std::optional(problem);  // which goes on changing it
  const Problem& shown = before_repair ? *before_repair : problem;
  const Watchdog watchdog(request.limits, [&](StopReason stopped) {
    line.clear();
    return tell(options, shown, best.outcome(shown, options, stopped));
  });
  try {
    if (options.repair.empty()) return run_checked(engine, problem, request);
    const Simulator simulator = read_domain(options.repair[0], options.repair[1]);
    DomainJudge judge(simulator, problem);
    best.domain_reward = [&](const Plan& plan) { return to_string(replay(simulator, shown, plan).reward); };
    Outcome outcome = run_repaired(engine, problem, request, std::ref(judge));
    outcome.among = among(options);
    if (outcome.plan) outcome.domain_reward = best.domain_reward(*outcome.plan);
    return outcome;
  } catch (const std::bad_alloc&) {  // the system's limit came first
    return best.outcome(shown, options, StopReason::memory);
  } catch (const RefusedPlan& refused) {
    const auto saved = save_reproduction(std::filesystem::current_path(), problem, refused.plan);
    throw std::logic_error(fmt::format("{}; please report it with {} and the files of that name beside it",
                                       refused.what(), saved.string()));
  }
}

int run_plan(const PlanOptions& options) {
  const Stopwatch stopwatch;
  Limits limits = limits_of(options);
  Problem problem;
  {
    const Watchdog watchdog(limits, [&](StopReason stopped) { return tell_unread(options, stopped); });
    problem = options.problem.read_with_horizon();
  }
  if (!options.output.empty()) require_writable(options.output);
  if (limits.seconds) limits.seconds = std::max(0.0, *limits.seconds - stopwatch.seconds());
  return tell(options, problem, solve(options, limits, problem));
}

std::string engine_help() {
  std::string text = "Which engine to use (auto; with --proof neuron, with --solver external):";
  for (const Engine& engine : engines())
    text += fmt::format("\n{} ({}): {}", engine.name, engine.guarantee, engine.help);
  return text;
}

}  // namespace

void add_plan_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("plan", "Find an optimal plan, prove it and print it");
  auto options = std::make_shared<PlanOptions>();
  options->problem.add_to(*command);
  std::vector<std::string> names;
  for (const Engine& engine : engines()) names.emplace_back(engine.name);
  command->add_option("--engine", options->engine, engine_help())->check(one_of(names))->type_name("ENGINE");
  command->add_flag("--first", options->first, "Any plan will do");
  CLI::Option* solver =
      command
          ->add_option(
              "--solver", options->solver,
              "Plan by an external solver, with this command, such as \"clasp --opt-strategy=usc\"; the "
              "model's file is\n"
              "added to it, or put in place of {model} (and {solution} is a file for the answer)")
          ->type_name("CMD");
  std::vector<std::string> formats, encodings;
  for (const ModelFormat& format : model_formats()) formats.emplace_back(format.name);
  for (const NeuronEncodingInfo& info : neuron_encodings()) encodings.emplace_back(info.name);
  command
      ->add_option("--solver-format", options->solver_format,
                   "What the external solver reads; known for " + known_solver_names())
      ->check(one_of(formats))
      ->needs(solver)
      ->type_name("FORMAT");
  CLI::Option* neurons = command
                             ->add_option("--neurons", options->neurons,
                                          "How neurons become clauses, see `bnnplan encode --help`")
                             ->check(one_of(encodings))
                             ->type_name("ENCODING");
  command->add_option("--time-limit", options->seconds, "Stop after this many seconds of wall time")
      ->check(positive_number())
      ->type_name("S");
  command
      ->add_option("--memory-limit", options->memory_mebibytes,
                   "Stop before using more memory (three quarters of the machine's if not given)")
      ->check(whole_number(1, most_mebibytes))
      ->type_name("MIB");
  command->add_option("--threads", options->threads, "Threads to use (all of the machine if not given)")
      ->check(whole_number(1, most_threads))
      ->type_name("N");
  command->add_option("--seed", options->seed, "Another seed may find another plan of the same cost")
      ->check(whole_number(0, largest_seed))
      ->type_name("N");
  command
      ->add_option("-o,--output", options->output,
                   "Write the plan, or that there is none, here, as --json prints it")
      ->type_name("PLAN.json");
  CLI::Option* proof = command
                           ->add_option("--proof", options->proof,
                                        "Write a proof that the plan is optimal (by the neuron engine), see "
                                        "`bnnplan check-proof --help`")
                           ->type_name("FILE");
  command->add_option("--proof-version", options->proof_version, "Version of the VeriPB format: 1.2 or 3.0")
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
    if (solver->count() > 0 && proof->count() > 0)
      throw CLI::ValidationError("--proof is for --engine neuron, --solver for --engine external: give one");
    if (options->engine.empty())
      options->engine = proof->count() > 0 ? "neuron" : solver->count() > 0 ? "external" : "auto";
    const bool external = options->engine == "external";
    if (external && solver->count() == 0) throw CLI::ValidationError("--engine external takes --solver CMD");
    if (!external && solver->count() > 0) throw CLI::ValidationError("--solver is for --engine external");
    if (neurons->count() > 0 && options->engine == "search")
      throw CLI::ValidationError("--neurons is for engines that make clauses, not for --engine search");
    if (proof->count() > 0 && options->engine != "neuron")
      throw CLI::ValidationError("--proof is for --engine neuron");
    if (proof->count() > 0 && (options->proof == "-" || options->proof.empty()))
      throw CLI::ValidationError(fmt::format("--proof: '{}', expected a file", options->proof));
    if (proof->count() > 0 && !options->repair.empty())
      throw CLI::ValidationError("--proof is about one problem, --repair plans for one after the other");
    exit_code = run_plan(*options);
  });
}

}  // namespace bnnplan
