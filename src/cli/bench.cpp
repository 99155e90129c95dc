// bnnplan bench: engines and solvers compared on problems.
#include <filesystem>
#include <memory>

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

// As the shell takes it for one word.
std::string shell_word(std::string text) {
  static constexpr const char* plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./:,@%=";
  if (text.find_first_not_of(plain) == std::string::npos) return text;
  for (std::size_t i = 0; (i = text.find('\'', i)) != std::string::npos; i += 4) text.replace(i, 1, "'\\''");
  return "'" + text + "'";
}

int run_bench(comparison::BenchOptions options) {
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
  print(fmt::format("{}\nwrote {}/runs.csv; for tables and pictures: bnnplan-tables {} -o {}\n", result.table,
                    folder, shell_word(folder + "/runs.csv"), shell_word(folder)));
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
  CLI::App* command = app.add_subcommand("bench", "Compare engines and solvers on problems");
  struct Arguments {
    comparison::BenchOptions bench;
    bool outside = false;
  };
  auto arguments = std::make_shared<Arguments>();
  command
      ->add_option(
          "PROBLEM", arguments->bench.problems,
          "Problem files (.toml), each with its horizon, or with those after @: FILE@4,6 or FILE@4-10")
      ->required();
  add_options(*command, options_of(arguments->bench));
  add_outside_option(*command, arguments->outside);
  command->add_option("-o,--output", arguments->bench.folder, "Folder for the runs")
      ->required()
      ->type_name("DIR");
  command->footer(
      "Runs go into DIR/runs.csv as they end; the same command continues where it was stopped.\n"
      "Exit codes: 0 all agree, 3 a disagreement or a failed run, 11 interrupted.\n"
      "Example: bnnplan bench models/corridor.toml@7-12 --engine search,maxsat --solver clasp -o results\n"
      "         bnnplan-tables results/runs.csv -o results");
  command->callback([arguments, &exit_code] {
    arguments->bench.references = references_of(arguments->outside);
    exit_code = run_bench(arguments->bench);
  });
}

}  // namespace bnnplan::cli
