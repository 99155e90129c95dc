// bnnplan bench: engines and solvers compared on problems.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <sched.h>

#include "base/input_error.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/file_kind.hpp"
#include "cli/interrupt.hpp"
#include "cli/live_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "engines/engine.hpp"

namespace bnnplan {

namespace {

struct BenchOptions {
  std::vector<std::string> problems, engines, solvers, notes, scatter;
  BenchSettings settings;
  bool cold = false;
  int core = -1;
  bool any_core = false;
  std::string measure = "cpu";
  std::string family_end;
  std::string output;
  bool fresh = false;
  bool outside = false;
};

// The last core this process may use: the first ones are the busiest.
std::optional<int> last_core() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return std::nullopt;
  for (int core = CPU_SETSIZE; core-- > 0;) {
    if (CPU_ISSET(static_cast<std::size_t>(core), &cores)) return core;
  }
  return std::nullopt;
}

int run_bench(const BenchOptions& options) {
  ComparisonRequest request;
  for (const std::string& problem : options.problems) {
    // With or without horizons behind an @.
    std::vector<Task> tasks =
        read_files_as(FileKind::problem, {problem, problem.substr(0, problem.rfind('@'))},
                      [&] { return tasks_of(problem, references_of(options.outside)); });
    std::move(tasks.begin(), tasks.end(), std::back_inserter(request.tasks));
  }
  if (!options.family_end.empty()) cut_families(request.tasks, options.family_end);
  std::vector<std::string> names = options.engines;
  if (names.empty() && options.solvers.empty()) {
    for (const Engine& engine : engines()) {
      if (engine.name != "external") names.emplace_back(engine.name);
    }
  }
  for (const std::string& engine : names) request.entrants.push_back(engine_entrant(engine));
  for (const std::string& solver : options.solvers) request.entrants.push_back(solver_entrant(solver));
  request.settings = options.settings;
  request.settings.warm_up = !options.cold;
  if (options.core >= 0) {
    request.settings.core = options.core;
  } else if (!options.any_core) {
    request.settings.core = last_core();
  }
  request.settings.program = std::filesystem::read_symlink("/proc/self/exe").string();
  request.measure = options.measure == "cpu" ? Measure::cpu : Measure::wall;
  request.folder = options.output;
  request.fresh = options.fresh;
  request.notes = options.notes;
  request.scatter = options.scatter;
  request.interrupt = catch_signals();
  LiveLine line;
  request.progress = [&](const std::string& text) {
    if (line.on_terminal()) {
      line.show(printable(text, 200));
    } else {
      print_message(printable(text, 200) + "\n");
    }
  };
  const ComparisonResult result = compare(request);
  line.clear();
  print(score_table(result.table));
  print(fmt::format("\nwrote {0}/RESULTS.md, results.csv, results.json and pictures\n",
                    printable(options.output)));
  for (const std::string& line : result.failures)
    print_message(fmt::format("failed: {}\n", printable(line, 500)));
  for (const std::string& line : result.disagreements)
    print_message(fmt::format("DISAGREEMENT: {}\n", printable(line, 500)));
  if (!result.disagreements.empty() || !result.failures.empty()) return exit_internal_error;
  if (result.interrupted) {
    print_message("bnnplan: interrupted; the same command continues where it stopped\n");
    return exit_unknown;
  }
  return exit_success;
}

}  // namespace

void add_bench_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("bench", "Compare engines and solvers on problems");
  auto options = std::make_shared<BenchOptions>();
  command
      ->add_option(
          "PROBLEM", options->problems,
          "Problem files (.toml), each with its horizon, or with those after @: FILE@4,6 or FILE@4-10")
      ->required();
  std::vector<std::string> names;
  for (const Engine& engine : engines()) {
    if (engine.name != "external") names.emplace_back(engine.name);
  }
  command
      ->add_option("--engine", options->engines,
                   "Engines to compare (all, if neither these nor solvers are given)")
      ->check(one_of(names))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ENGINE,...");
  command
      ->add_option(
          "--solver", options->solvers,
          "A solver to compare, \"CMD ARGS\" as for plan, or \"FORMAT: CMD ARGS\" to choose what it reads,\n"
          "\"FORMAT+ENCODING: CMD ARGS\" to choose how neurons become clauses, too;\n"
          "may be given again")
      ->allow_extra_args(false)
      ->type_name("CMD");
  command->add_option("--time-limit", options->settings.seconds, "Limit of each run (60)")
      ->check(positive_number())
      ->type_name("S");
  command->add_option("--memory-limit", options->settings.memory_mebibytes, "Limit of each run (2000)")
      ->check(whole_number(1, most_mebibytes))
      ->type_name("MIB");
  command->add_option("--repeat", options->settings.repetitions, "Runs of each pair; the median counts (1)")
      ->check(whole_number(1, 1000))
      ->type_name("N");
  command
      ->add_option("--give-up", options->settings.give_up_after,
                   "Who fails on N problems of a family in a row is not run on its later ones (all are run)")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N");
  command
      ->add_option("--family-end", options->family_end,
                   "The family of a problem is its name up to the first TEXT (its name without the horizon)")
      ->type_name("TEXT");
  command->add_flag("--cold", options->cold, "No warm-up before the first run of a pair");
  CLI::Option* core = command->add_option("--core", options->core, "Core to run on (the last one)")
                          ->check(whole_number(0, 1023))
                          ->type_name("N");
  command->add_flag("--any-core", options->any_core, "Do not tie runs to one core")->excludes(core);
  command->add_option("--measure", options->measure, "Which time counts: cpu (if not given) or wall")
      ->check(one_of({"cpu", "wall"}))
      ->type_name("TIME");
  command->add_option("--scatter", options->scatter, "Which two to draw against each other")
      ->expected(2)
      ->type_name("A B");
  command->add_option("--note", options->notes, "A line for RESULTS.md; may be given again")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  add_outside_option(*command, options->outside);
  command->add_flag("--fresh", options->fresh, "Forget the runs that are in the folder");
  command->add_option("-o,--output", options->output, "Folder for the results")->required()->type_name("DIR");
  command->footer(
      "Runs go into DIR/runs.csv as they end; the same command continues where it was stopped.\n"
      "Exit codes: 0 all agree, 3 a disagreement or a failed run, 11 interrupted.\n"
      "Example: bnnplan bench models/corridor.toml@7-12 --engine search,maxsat --solver clasp -o results");
  command->callback([options, &exit_code] { exit_code = run_bench(*options); });
}

}  // namespace bnnplan
