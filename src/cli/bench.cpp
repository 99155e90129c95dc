// bnnplan bench: engines and solvers compared on problems.
#include <filesystem>

#include <bnnplan/bench.hpp>
#include <fmt/format.h>

#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/live_line.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"

namespace bnnplan::cli {

namespace {

struct BenchCommand {
  comparison::BenchOptions bench;
  bool outside = false;
};

int run_bench(const BenchCommand& command) {
  comparison::BenchOptions options = command.bench;
  options.references = references_of(command.outside);
  options.program = std::filesystem::read_symlink("/proc/self/exe");
  options.interrupt = catch_signals();
  LiveLine line;
  options.progress = [&](const std::string& text) {
    if (line.on_terminal()) {
      line.show(printable(text, 200));
    } else {
      print_message(printable(text, 200) + "\n");
    }
  };
  std::vector<std::string> files = options.problems;  // with or without horizons behind an @
  for (const std::string& problem : options.problems) files.push_back(problem.substr(0, problem.rfind('@')));
  const BenchResult result = read_files_as(FileKind::problem, files, [&] { return bench(options); });
  line.clear();
  const std::string folder = printable(options.folder.string());
  const char* quote = folder.find(' ') == std::string::npos ? "" : "'";
  print(fmt::format(
      "{0}\nwrote {1}/runs.csv; for tables and pictures: bnnplan-tables {2}{1}/runs.csv{2} -o {2}{1}{2}\n",
      result.table, folder, quote));
  for (const std::string& failure : result.failures)
    print_message(fmt::format("failed: {}\n", printable(failure, 500)));
  for (const std::string& disagreement : result.disagreements)
    print_message(fmt::format("DISAGREEMENT: {}\n", printable(disagreement, 500)));
  if (!result.disagreements.empty() || !result.failures.empty()) return exit_internal_error;
  if (result.interrupted) {
    print_message("bnnplan: interrupted; the same command continues where it stopped\n");
    return exit_unknown;
  }
  return exit_success;
}

}  // namespace

void add_bench_command(CLI::App& app, int& exit_code) {
  auto [command, options] =
      add_command(app, exit_code, "bench", "Compare engines and solvers on problems", run_bench);
  add_argument(command, "PROBLEM", options.bench.problems,
               "Problem files (.toml), each with its horizon, or with those after @: FILE@4,6 or FILE@4-10");
  add_options(command, options_of(options.bench));
  add_outside_option(command, options.outside);
  add_output_option(command, options.bench.folder, "Folder for the runs", "DIR");
  command.footer(
      "Runs go into DIR/runs.csv as they end; the same command continues where it was stopped.\n"
      "Exit codes: 0 all agree, 3 a disagreement or a failed run, 11 interrupted.\n"
      "Example: bnnplan bench models/corridor.toml@7-12 --engine search,maxsat --solver clasp -o results\n"
      "         bnnplan-tables results/runs.csv -o results");
}

}  // namespace bnnplan::cli
