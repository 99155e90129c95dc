// bnnplan pb: a pseudo-Boolean problem by the neuron engine's solver, in the protocol of the PB competition.
#include <mutex>

#include <bnnplan/pseudo_boolean.hpp>
#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/cli/watchdog.hpp"

namespace bnnplan::cli {

namespace {

struct PbCommand {
  std::string file;
  PbRequest solve;
};

// The end of the output; returns the exit code. Without an objective a solution is all there is to find.
int tell(PbOutcome outcome, bool has_objective) {
  if (outcome.status == Status::optimal && !has_objective) outcome.status = Status::feasible;
  print(answer_of(outcome).text);
  return solver_exit_code(outcome.status);
}

// The best solution so far, printed even if the solver does not check its time limit. One thread prints at a
// time.
struct BestSolution {
  std::mutex mutex;
  PbOutcome outcome;
  bool has_objective = true;
};

PbOutcome solve(const PbCommand& command, const Limits& limits, const Stopwatch& stopwatch,
                BestSolution& best) {
  const InputText input = read_input(command.file);
  const PbFormula formula =
      read_as(FileKind::model, input, [&] { return parse_opb(input.text, input.name); });
  {
    const std::lock_guard lock(best.mutex);
    best.has_objective = formula.has_objective;
  }
  print(fmt::format("c {}, {}\n", count_text(formula.variables, "variable"),
                    count_text(formula.constraints.size(), "constraint")));
  PbRequest request = command.solve;
  request.limits = limits.after(stopwatch.seconds());
  request.callbacks.improvement = [&](const BitValues& values, std::int64_t value) {
    const std::lock_guard lock(best.mutex);
    best.outcome.status = Status::feasible;
    best.outcome.values = values;
    if (formula.has_objective) print(fmt::format("o {}\n", value));
  };
  double next_line = 0;
  request.callbacks.lower_bound = [&](std::int64_t lower) {
    const std::lock_guard lock(best.mutex);
    best.outcome.lower_bound = lower;
    if (!formula.has_objective || stopwatch.seconds() < next_line) return;
    print(fmt::format("c lower bound {}\n", lower));
    next_line = stopwatch.seconds() + 0.5;
  };
  PbOutcome outcome = solve_pseudo_boolean(formula, request);
  print(fmt::format("c {} in {}, {}; {}\n", count_text(outcome.neurons, "neuron"),
                    count_text(outcome.layers, "layer"), count_text(outcome.rows, "other constraint"),
                    count_text(outcome.conflicts, "conflict")));
  if (outcome.proof_written) print(fmt::format("c proof in {}\n", printable(command.solve.proof.string())));
  return outcome;
}

int run_pb(const PbCommand& command) {
  const Stopwatch stopwatch;
  if (!command.solve.proof.empty()) require_writable(command.solve.proof);
  BestSolution best;
  Limits limits = on_this_machine(command.solve.limits);
  limits.interrupt = catch_signals();
  PbOutcome outcome;
  {
    const Watchdog watchdog(limits, [&](StopReason stopped) {
      const std::lock_guard lock(best.mutex);
      best.outcome.stopped = stopped;
      return tell(best.outcome, best.has_objective);
    });
    const auto unsupported = [&](const std::string& why) {  // no mistake of the file
      print(fmt::format("c {}\ns UNSUPPORTED\n", printable(why, 2000)));
      return exit_solver_unknown;
    };
    try {
      outcome = solve(command, limits, stopwatch, best);
    } catch (const UnsupportedFormula& error) {
      return unsupported(error.what());
    } catch (const OverflowError&) {
      return unsupported(fmt::format("{}: sums of its coefficients do not fit into 64 bits", command.file));
    }
  }
  return tell(outcome, best.has_objective);
}

}  // namespace

void add_pb_command(CLI::App& app, int& exit_code) {
  auto [command, options] =
      add_command(app, exit_code, "pb", "Solve a pseudo-Boolean problem, its neurons recognised", run_pb);
  add_argument(command, "FILE", options.file, "OPB; also gzipped or packed by xz; - for standard input");
  add_options(command, options_of(options.solve));
  command.footer(
      "Prints o lines as the value improves, one s line, and the best solution as a v line; c lines are\n"
      "comments. Constraints that say y <-> at least k of n literals become neurons. docs/pb.md says more.\n"
      "Exit codes: 30 optimum found, 20 unsatisfiable, 10 a solution not proved optimal, 0 unknown.\n"
      "Example: bnnplan pb problem.opb.gz --time-limit 300 --proof problem.pbp\n"
      "         bnnplan check-proof problem.opb.gz problem.pbp");
}

}  // namespace bnnplan::cli
