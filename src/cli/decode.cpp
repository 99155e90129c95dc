// bnnplan decode: any solver's answer back to a plan, checked.
#include <bnnplan/encode.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/problem/worth.hpp"
#include "bnnplan/report/plan_table.hpp"

namespace bnnplan::cli {

namespace {

struct DecodeCommand {
  ProblemOptions problem;
  std::string answer_file;
  DecodeOptions decode;
  bool json = false;
};

// Not outcome_text: what is claimed here was proved by another solver.
std::string answer_text(const Problem& problem, const Outcome& outcome) {
  if (outcome.status == Status::infeasible) return "no plan exists, as the solver claims\n";
  if (!outcome.plan) return "the solver found no plan and no proof\n";
  return fmt::format("{}\nvalid plan, {}, {}{}\n", reporting::plan_table(problem, *outcome.plan),
                     count_text(problem.horizon, "step"), worth_text(problem, *outcome.cost),
                     outcome.status != Status::optimal ? ", not claimed to be optimal"
                     : outcome.claimed_by.empty()      ? ", optimal: the problem has no objective"
                                                       : ", optimal as the solver claims");
}

int run_decode(const DecodeCommand& options) {
  const Stopwatch watch;
  const Problem problem = options.problem.read_with_horizon();
  const InputText input = read_input(options.answer_file);
  Outcome outcome = read_as(FileKind::answer, input, [&] {
    return outcome_of_answer(problem, input.text, input.name, options.decode);
  });
  outcome.engine = "decode";
  outcome.seconds = watch.seconds();
  print(options.json ? outcome_json(problem, outcome) : answer_text(problem, outcome));
  return exit_code_of(outcome.status);
}

}  // namespace

void add_decode_command(CLI::App& app, int& exit_code) {
  auto [command, options] =
      add_command(app, exit_code, "decode",
                  "Turn a solver's answer to an encoded problem back into a plan, and check it", run_decode);
  options.problem.add_to(command);
  add_argument(command, "ANSWER", options.answer_file,
               "What the solver printed, or its solution file; - for standard input");
  add_options(command, options_of(options.decode));
  add_json_option(command, options.json);
  command.footer(
      "Reads the answers of MaxSAT, SAT and pseudo-Boolean solvers (v lines of any form), CBC, HiGHS, SCIP "
      "and MiniZinc.\n"
      "Exit codes: 0 optimal as the solver claims, 10 a plan, 11 unknown, 20 infeasible, 2 if the answer is "
      "not a plan.\n"
      "Example: bnnplan decode models/corridor.toml answer.txt");
}

}  // namespace bnnplan::cli
