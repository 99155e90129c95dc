// bnnplan suite: the benchmark problems as files, with an index of what the planner found.
#include <memory>

#include <bnnplan/run_control.hpp>
#include <bnnplan/suite.hpp>
#include <fmt/format.h>

#include "base/count_text.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/interrupt.hpp"
#include "cli/live_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace bnnplan {

namespace {

struct SuiteArguments {
  std::string format = "wcnf", models;
  std::vector<std::string> from;
  RunControl control;  // of each problem
  SuiteOptions suite;
};

// Beside us, as in a checkout, or where `make install` puts them relative to the program.
std::filesystem::path shipped_models() {
  if (std::filesystem::is_directory("models")) return "models";
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path installed = program.parent_path().parent_path() / "share/bnnplan/models";
  if (!error && std::filesystem::is_directory(installed)) return installed;
  throw InputError("no folder 'models' here, nor one installed with the program: name it with --models");
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

int run_suite(const SuiteArguments& arguments) {
  SuiteOptions options = arguments.suite;
  options.format = find_model_format(arguments.format);
  if (arguments.from.empty()) {
    options.folder = arguments.models.empty() ? shipped_models() : std::filesystem::path(arguments.models);
  } else {
    if (arguments.from[0] != "fd-sat-plan") {
      throw InputError(fmt::format("--from '{}', expected fd-sat-plan", printable(arguments.from[0])));
    }
    options.source = SuiteSource::published;
    options.folder = arguments.from[1];
  }
  options.limits = limits_of(arguments.control);
  options.limits.interrupt = catch_signals();
  LiveLine line;
  options.progress = [&line](const SuiteProgress& progress) { show(progress, line); };
  const SuiteResult result = make_suite(options);
  line.clear();
  print(fmt::format("{} written, {} {} complete already; {} without a proof; index: {}\n",
                    count_text(result.made, "problem"), result.kept, result.kept == 1 ? "was" : "were",
                    result.unproved, printable((options.output / "index.csv").string())));
  if (result.interrupted) print("interrupted; the same command goes on from here\n");
  return result.interrupted || result.unproved > 0 ? exit_unknown : exit_success;
}

}  // namespace

void add_suite_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("suite", "Write the 45 benchmark problems as files, with an index of their optima");
  auto arguments = std::make_shared<SuiteArguments>();
  std::vector<std::string> formats;
  for (const ModelFormat& format : model_formats()) formats.emplace_back(format.name);
  command->add_option("-o,--output", arguments->suite.output, "Folder to write to")
      ->required()
      ->type_name("DIR");
  command->add_option("--to", arguments->format, "Format of the files (wcnf)")
      ->check(one_of(formats))
      ->type_name("FORMAT");
  CLI::Option* models =
      command->add_option("--models", arguments->models, "Folder of the learned models (those shipped)")
          ->type_name("DIR");
  command
      ->add_option("--from", arguments->from,
                   "The published networks in this folder instead of the shipped ones (fd-sat-plan DIR)")
      ->expected(2)
      ->excludes(models)
      ->type_name("fd-sat-plan DIR");
  command->add_option("--family", arguments->suite.family, "Only navigation, inventory, sysadmin or cellda")
      ->type_name("FAMILY");
  command->add_option("--only", arguments->suite.only, "Only these problems, such as navigation_3x3_4")
      ->delimiter(',')
      ->type_name("NAME,...");
  command->add_flag("--gzip", arguments->suite.compress, "Compress the files");
  command
      ->add_option("--time-limit", arguments->control.seconds,
                   "Seconds of wall time to plan for each problem")
      ->check(positive_number())
      ->type_name("S");
  command
      ->add_option("--threads", arguments->control.threads,
                   "Threads to use (all of the machine if not given)")
      ->check(whole_number(1, most_threads))
      ->type_name("N");
  command->footer(
      "Run it again after an interruption: what the index has, with its file complete, is not done again.\n"
      "Exit codes: 0 all problems are solved, 11 interrupted or some without a proof.\n"
      "Example: bnnplan suite --to opb -o suite");
  command->callback([arguments, &exit_code] { exit_code = run_suite(*arguments); });
}

}  // namespace bnnplan
