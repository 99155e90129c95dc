// bnnplan maxsat: the embedded MaxSAT solver alone, in the protocol of the MaxSAT Evaluation.
#include <mutex>
#include <optional>

#include <bnnplan/maxsat.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/cli/watchdog.hpp"
#include "bnnplan/formats/wcnf_reader.hpp"

namespace bnnplan::cli {

namespace {

struct MaxSatCommand {
  std::string file;
  bool literals = false;
  MaxSatCall solve;
};

// The end of the output; returns the exit code.
int tell(const MaxSatCommand& command, const MaxSatOutcome& outcome) {
  print(answer_of(outcome, command.literals).text);
  return solver_exit_code(outcome.status);
}

// What was found so far, for when the SAT solver does not look at the clock. It prints as it finds: both by
// one thread at a time.
struct BestModel {
  std::mutex mutex;
  MaxSatOutcome outcome;
};

MaxSatOutcome solve(const MaxSatCommand& command, const Limits& limits, const Stopwatch& stopwatch,
                    BestModel& best) {
  std::optional<InputText> input;  // for a proof the text is read twice
  if (!command.solve.proof.empty()) input = read_input(command.file);
  const Wcnf formula =
      input ? read_as(FileKind::formula, *input, [&] { return parse_wcnf(input->text, input->name); })
            : read_files_as(FileKind::formula, {command.file}, [&] { return read_wcnf(command.file); });
  print(fmt::format("c {}, {} hard and {}\n", count_text(formula.variables, "variable"), formula.hard.size(),
                    count_text(formula.soft.size(), "soft clause")));
  MaxSatCall request = command.solve;
  request.limits = limits.after(stopwatch.seconds());
  request.callbacks.improvement = [&](const MaxSatModel& model, Weight cost) {
    const std::lock_guard lock(best.mutex);
    best.outcome.status = Status::feasible;
    best.outcome.model = model;
    print(fmt::format("o {}\n", cost));
  };
  double next_line = 0;
  request.callbacks.lower_bound = [&](Weight lower) {
    const std::lock_guard lock(best.mutex);
    best.outcome.lower_bound = lower;
    if (stopwatch.seconds() < next_line) return;
    print(fmt::format("c lower bound {}\n", lower));
    next_line = stopwatch.seconds() + 0.5;
  };
  MaxSatOutcome outcome = solve_maxsat(formula, request);
  if (!input) return outcome;
  {
    const std::lock_guard lock(best.mutex);  // whatever becomes of the proof, this is proved
    best.outcome = outcome;
  }
  request.limits = limits.after(stopwatch.seconds());
  const std::string why = write_maxsat_proof(input->text, input->name, outcome, request);
  print(why.empty() ? fmt::format("c proof in {}\n", printable(command.solve.proof.string()))
                    : fmt::format("c no proof is written: {}\n", printable(why, 2000)));
  return outcome;
}

int run_maxsat(const MaxSatCommand& command) {
  const Stopwatch stopwatch;
  if (!command.solve.proof.empty()) require_writable(command.solve.proof);
  BestModel best;
  Limits limits = on_this_machine(command.solve.limits);
  limits.interrupt = catch_signals();
  MaxSatOutcome outcome;
  {
    const Watchdog watchdog(limits, [&](StopReason stopped) {
      const std::lock_guard lock(best.mutex);
      best.outcome.stopped = stopped;
      return tell(command, best.outcome);
    });
    try {
      outcome = solve(command, limits, stopwatch, best);
    } catch (const FormulaTooLarge& error) {
      print(fmt::format("c {}\n", printable(error.what(), 2000)));  // no mistake of the file: s UNKNOWN
    }
  }
  return tell(command, outcome);
}

}  // namespace

void add_maxsat_command(CLI::App& app, int& exit_code) {
  auto [command, options] =
      add_command(app, exit_code, "maxsat", "Solve a weighted partial MaxSAT formula", run_maxsat);
  add_argument(command, "FILE", options.file,
               "WCNF, classic or of 2022, or CNF; also gzipped or packed by xz; - for standard input");
  add_options(command, options_of(options.solve));
  command.add_flag("--literals", options.literals,
                   "Print the v line as literals instead of a string of 0 and 1");
  command.footer(
      "Prints o lines as the cost improves, one s line, and the best model as a v line; c lines are "
      "comments.\n"
      "Exit codes: 30 optimum found, 20 unsatisfiable, 10 a model not proved optimal, 0 unknown.\n"
      "Ctrl-C, SIGTERM or SIGXCPU prints the best model so far. docs/maxsat.md says more.\n"
      "Example: bnnplan maxsat formula.wcnf.gz --time-limit 300 --proof formula.pbp\n"
      "         bnnplan check-proof formula.wcnf.gz formula.pbp");
}

}  // namespace bnnplan::cli
