// bnnplan compile: an RDDL domain as a problem file.
#include <filesystem>
#include <mutex>

#include <bnnplan/domain.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/live_line.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/cli/watchdog.hpp"

namespace bnnplan::cli {

namespace {

struct CompileArguments {
  DomainOptions source;
  std::string network, output;
  CompileOptions compile;
  Limits limits;
};

// The network as the problem file will find it: relative to that file.
std::string network_reference(const std::filesystem::path& network, const std::filesystem::path& output) {
  if (network.is_absolute() || output == "-") return network.string();
  const std::filesystem::path folder = output.parent_path();
  return std::filesystem::proximate(network, folder.empty() ? "." : folder).string();
}

// What a compilation is at, for a line on a terminal and for the end by a limit, which the thread of the
// watchdog may tell.
class CompilationView {
 public:
  void update(const CompileProgress& progress) {
    const std::lock_guard lock(mutex_);
    if (progress.what != what_) {
      what_ = progress.what;
      place_ = to_string(progress.place);
    }
    table_bits_ = progress.table_bits;
    constexpr double interval = 0.1;
    if (!line_.on_terminal() || clock_.seconds() < next_) return;
    next_ = clock_.seconds() + interval;
    std::string text = fmt::format("{:.0f} s: ", clock_.seconds());
    if (progress.definition > 0) text += fmt::format("{} of {}, ", progress.definition, progress.definitions);
    text += printable(what_);
    if (table_bits_ > 0) text += fmt::format(", table of {} bits", table_bits_);
    if (progress.covers > 0)
      text += fmt::format(", its clauses: {} of {}", progress.covered, progress.covers);
    else if (table_bits_ > 0)
      text += fmt::format(", {:.0f} %", 100 * progress.table_share);
    line_.show(text);
  }

  void clear() { line_.clear(); }

  // The message about a limit; returns the exit code.
  int tell_stop(StopReason reason) {
    const std::lock_guard lock(mutex_);
    line_.clear();
    if (what_.empty()) {
      print_message(
          fmt::format("bnnplan: {} reached before anything was compiled\n", stop_reason_text(reason)));
    } else {
      print_message(fmt::format(
          "{}: {} reached at {}{}: expected fewer bits (--bits, tighter constraints), interm-fluents for its "
          "parts, or a higher limit\n",
          printable(place_), stop_reason_text(reason), printable(what_),
          table_bits_ == 0 ? "" : fmt::format(", a table of {} bits", table_bits_)));
    }
    return exit_unknown;
  }

 private:
  std::mutex mutex_;
  std::string what_, place_;
  int table_bits_ = 0;
  LiveLine line_;
  Stopwatch clock_;
  double next_ = 0;
};

Problem compile_files(const CompileArguments& arguments, LimitWatch& watch, CompilationView& view,
                      std::vector<std::string>& notes) {
  CompileOptions options = arguments.compile;
  options.instance_name = arguments.source.instance_name;
  options.watch = &watch;
  options.progress = [&](const CompileProgress& progress) { view.update(progress); };
  if (!arguments.network.empty()) {
    NetworkNameLines& lines = options.network_lines.emplace();
    options.network = read_files_as(FileKind::network, {arguments.network},
                                    [&] { return read_network(arguments.network, &lines); });
    options.network_file = network_reference(arguments.network, arguments.output);
  }
  return read_files_as(FileKind::rddl, {arguments.source.domain, arguments.source.instance}, [&] {
    return compile(arguments.source.domain, arguments.source.instance, options, &notes);
  });
}

int run_compile(const CompileArguments& arguments) {
  const Limits& limits = arguments.limits;
  Problem problem;
  std::vector<std::string> notes;
  CompilationView view;
  LimitWatch watch(limits);
  try {
    const Watchdog watchdog(limits, [&](StopReason reason) { return view.tell_stop(reason); });
    problem = compile_files(arguments, watch, view, notes);
  } catch (const LimitReached&) {
    return view.tell_stop(watch.reason());
  }
  view.clear();
  std::string text;
  for (const std::string& note : notes) text += fmt::format("# {}\n", note);
  write_text_file(arguments.output, text + problem_text(problem));
  for (const std::string& note : notes) print_message(fmt::format("bnnplan: {}\n", note));
  if (problem.network &&
      !is_inside(std::filesystem::path(arguments.output).parent_path(), arguments.network)) {
    print_message(
        "bnnplan: the network is outside the folder of the problem file: reading it takes --allow-outside\n");
  }
  if (arguments.output == "-") return exit_success;
  print(fmt::format("wrote {} ({}, {}, {}, {}, {})\n", printable(arguments.output),
                    count_text(problem.state.bit_count(), "state bit"),
                    count_text(problem.action.bit_count(), "action bit"),
                    count_text(problem.auxiliary.bit_count(), "auxiliary bit"),
                    count_text(problem.constraints.size(), "constraint"),
                    count_text(problem.transitions.size(), "known transition")));
  return exit_success;
}

}  // namespace

void add_compile_command(CLI::App& app, int& exit_code) {
  auto [command, arguments] =
      add_command(app, exit_code, "compile", "Compile an RDDL domain into a problem file", run_compile);
  arguments.source.add_files(command);
  add_output_option(command, arguments.output, "Problem file to write, - for standard output",
                    "PROBLEM.toml");
  add_file_option(command, "--network", arguments.network,
                  "Network that gives the fluents it has as outputs; all others become known transitions",
                  "NET.bnn");
  add_options(command, options_of(arguments.compile));
  arguments.source.add_instance_name(command);
  add_options(command,
              describing::only(describing::limit_options(arguments.limits), {"time-limit", "memory-limit"}));
  command.footer(
      "Example: bnnplan compile domains/navigation.rddl domains/navigation_3x3.rddl -o navigation_3x3.toml");
}

}  // namespace bnnplan::cli
