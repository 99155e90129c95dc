// bnnplan decode: any solver's answer back to a plan, checked.
#include "model/decode.hpp"

#include <memory>

#include <fmt/format.h>

#include "base/input_error.hpp"
#include "base/stopwatch.hpp"
#include "check/plan_check.hpp"
#include "cli/commands.hpp"
#include "cli/file_kind.hpp"
#include "formats/solver_answer.hpp"
#include "model/unroll.hpp"
#include "report/plan_json.hpp"
#include "report/plan_table.hpp"

namespace bnnplan {

namespace {

struct DecodeOptions {
  ProblemOptions problem;
  std::string answer_file;
  bool json = false;
};

// The answer as the outcome of an engine: what the solver claims, with a plan that was replayed. Whether it
// is really optimal only the solver knows.
Outcome outcome_of(const SolverAnswer& answer, const Problem& problem, const ModelLayout& layout,
                   const std::string& file) {
  Outcome outcome;
  outcome.engine = "decode";
  if (answer.status == AnswerStatus::unsatisfiable) {
    outcome.status = Status::infeasible;
    return outcome;
  }
  if (!answer.has_values) return outcome;
  const PlanCheck check = check_plan(problem, decode(layout, answer.values));
  if (!check.accepted) throw InputError(file, fmt::format("the answer is no plan: {}", check.violation));
  outcome.plan = check.plan;
  outcome.cost = check.cost;
  const bool optimal = answer.status == AnswerStatus::optimal || problem.objective.terms.empty();
  outcome.status = optimal ? Status::optimal : Status::plan;
  if (outcome.status == Status::optimal) outcome.lower_bound = check.cost;
  return outcome;
}

// Not outcome_text: what is claimed here was proved by somebody else.
std::string answer_text(const Problem& problem, const Outcome& outcome) {
  if (outcome.status == Status::infeasible) return "no plan exists, as the solver claims\n";
  if (!outcome.plan) return "the solver found no plan and no proof\n";
  return fmt::format(
      "{}\nvalid plan, {} steps, cost {}{}\n", plan_table(problem, *outcome.plan), problem.horizon,
      to_string(cost_in_units(problem, *outcome.cost)),
      outcome.status == Status::optimal ? ", optimal as the solver claims" : ", not claimed to be optimal");
}

int run_decode(const DecodeOptions& options) {
  const Stopwatch watch;
  const Problem problem = options.problem.read_with_horizon();
  const ModelLayout layout = layout_of(problem);
  const InputText input = read_input(options.answer_file);
  const SolverAnswer answer = read_as(FileKind::answer, input, [&] {
    return parse_solver_answer(input.text, input.name, layout.variable_count());
  });
  Outcome outcome = outcome_of(answer, problem, layout, input.name);
  outcome.seconds = watch.seconds();
  print(options.json ? outcome_json(problem, outcome) : answer_text(problem, outcome));
  return exit_code_of(outcome.status);
}

}  // namespace

void add_decode_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "decode", "Turn a solver's answer to an encoded problem back into a plan, and check it");
  auto options = std::make_shared<DecodeOptions>();
  options->problem.add_to(*command);
  command
      ->add_option("ANSWER", options->answer_file,
                   "What the solver printed, or its solution file; - for standard input")
      ->required();
  command->add_flag("--json", options->json, "Print one JSON object");
  command->footer(
      "Reads the answers of MaxSAT, SAT and pseudo-Boolean solvers (v lines of any form), CBC, HiGHS, SCIP "
      "and MiniZinc.\n"
      "Exit codes: 0 optimal as the solver claims, 10 a plan, 11 unknown, 20 infeasible, 2 if the answer is "
      "no plan.\n"
      "Example: bnnplan decode models/corridor.toml answer.txt");
  command->callback([options, &exit_code] { exit_code = run_decode(*options); });
}

}  // namespace bnnplan
