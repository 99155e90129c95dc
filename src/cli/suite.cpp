// bnnplan suite: the benchmark problems as files, with an index of what the planner found; with --extended a
// ladder of new ones.
#include <bnnplan/suite.hpp>
#include <fmt/format.h>

#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/live_line.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"

namespace bnnplan::cli {

namespace {

struct SuiteArguments {
  std::string models, domains;
  std::vector<std::string> from;
  bool gzip = false, extended = false, list = false, json = false;
  SuiteOptions suite;
};

// A folder of what is shipped: beside us, as in a checkout, or where `make install` puts it relative to the
// program.
std::filesystem::path shipped_folder(const std::string& name) {
  if (std::filesystem::is_directory(name)) return name;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path installed = program.parent_path().parent_path() / "share/bnnplan" / name;
  if (!error && std::filesystem::is_directory(installed)) return installed;
  throw InputError(
      fmt::format("no folder '{0}' here, nor one installed with the program: name it with --{0}", name));
}

void show(const SuiteProgress& progress, LiveLine& line) {
  if (!line.on_terminal()) {
    if (progress.finished) {
      print_message(
          fmt::format("{}/{} {}: {}\n", progress.done, progress.all, progress.name, progress.activity));
    }
    return;
  }
  constexpr std::size_t width = 30;
  const std::size_t full = progress.done * width / progress.all;
  line.show(fmt::format("[{:#<{}}{:.<{}}] {}/{} {}: {}", "", full, "", width - full, progress.done,
                        progress.all, progress.name, progress.activity));
}

void choose_source(const SuiteArguments& arguments, SuiteOptions& options) {
  if (arguments.extended) {
    options.source = SuiteSource::ladder;
    options.folder = arguments.domains;
  } else if (arguments.from.empty()) {
    options.folder = arguments.models;
  } else {
    if (arguments.from[0] != "fd-sat-plan")
      throw InputError(fmt::format("--from '{}', expected fd-sat-plan", printable(arguments.from[0])));
    options.source = SuiteSource::published;
    options.folder = arguments.from[1];
  }
  if (options.folder.empty() && !arguments.list)
    options.folder = shipped_folder(arguments.extended ? "domains" : "models");
}

int run_suite(const SuiteArguments& arguments) {
  SuiteOptions options = arguments.suite;
  if (arguments.gzip) options.packing = "gz";
  if (options.output.empty() && !arguments.list) throw CLI::RequiredError("--output");
  choose_source(arguments, options);
  if (arguments.list) {
    for (const WantedProblem& problem : wanted_problems(options)) print(problem.name + "\n");
    return exit_success;
  }
  options.version = BNNPLAN_VERSION;
  options.limits.interrupt = catch_signals();
  LiveLine line;
  options.progress = [&line](const SuiteProgress& progress) { show(progress, line); };
  const SuiteResult result = make_suite(options);
  line.clear();
  print(answer_of(options, result), arguments.json);
  return result.interrupted || result.unproved > 0 ? exit_unknown : exit_success;
}

}  // namespace

void add_suite_command(CLI::App& app, int& exit_code) {
  auto [command, arguments] =
      add_command(app, exit_code, "suite",
                  "Write the 45 benchmark problems as files, with an index of their optima", run_suite);
  add_file_option(command, "-o,--output", arguments.suite.output, "Folder to write to", "DIR");
  add_options(command, options_of(arguments.suite));
  CLI::Option* models = add_file_option(command, "--models", arguments.models,
                                        "Folder of the learned models (those shipped)", "DIR");
  CLI::Option* from =
      add_file_option(command, "--from", arguments.from,
                      "The published networks in this folder instead of the shipped ones (fd-sat-plan DIR)",
                      "fd-sat-plan DIR")
          ->expected(2)
          ->excludes(models);
  command.add_flag("--gzip", arguments.gzip, "Compress the files: --pack gz")->excludes("--pack");
  CLI::Option* extended =
      command
          .add_flag("--extended", arguments.extended, "A ladder of new problems instead, from easy to open")
          ->excludes(models)
          ->excludes(from);
  command.get_option("--seed")->needs(extended);
  add_file_option(command, "--domains", arguments.domains,
                  "With --extended: folder of the domains (those shipped)", "DIR")
      ->needs(extended);
  command.add_flag("--list", arguments.list, "Print the names of the problems, and do nothing else");
  add_json_option(command, arguments.json);
  command.footer(
      "Run it again after an interruption: what the index has, with its file complete, is not done again.\n"
      "Exit codes: 0 all problems are solved, 11 interrupted or some without a proof.\n"
      "With --extended, --only takes any name, also of sizes and seeds that the ladder has not: "
      "docs/suite.md.\n"
      "Example: bnnplan suite --to opb -o suite\n"
      "         bnnplan suite --extended --to wcnf,opb --pack xz --proof --time-limit 60 -o ladder");
}

}  // namespace bnnplan::cli
