// bnnplan compile: an RDDL domain as a problem file.
#include <charconv>
#include <filesystem>
#include <memory>
#include <mutex>

#include <bnnplan/domain.hpp>
#include <fmt/format.h>

#include "base/count_text.hpp"
#include "base/limits.hpp"
#include "base/stopwatch.hpp"
#include "base/text_file.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/file_kind.hpp"
#include "cli/live_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/watchdog.hpp"
#include "rddl/compile/prime_cover.hpp"

namespace bnnplan {

namespace {

struct CompileArguments {
  DomainOptions source;
  std::string network, output;
  std::vector<std::string> learned, goals, precision, ranges;
  std::string determinize, discount;
  std::optional<std::int64_t> horizon;
  bool reachable_ranges = false;
  int table_bits = CompileOptions().table_bits;
  std::optional<double> seconds;
  std::optional<std::size_t> memory_mebibytes;
};

// The network as the problem file will find it: relative to that file.
std::string network_reference(const std::filesystem::path& network, const std::filesystem::path& output) {
  if (network.is_absolute() || output == "-") return network.string();
  const std::filesystem::path folder = output.parent_path();
  return std::filesystem::proximate(network, folder.empty() ? "." : folder).string();
}

int parse_discount_digits(std::string_view text) {
  constexpr std::string_view prefix = "digits=";
  int digits = 0;
  if (text.starts_with(prefix)) {
    const auto [stop, error] =
        std::from_chars(text.data() + prefix.size(), text.data() + text.size(), digits);
    if (error != std::errc() || stop != text.data() + text.size()) digits = 0;
  }
  if (digits >= 1 && digits <= 17) return digits;
  throw InputError(
      fmt::format("bad --discount '{}', expected ignore or digits=N with N from 1 to 17", printable(text)));
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
  CompileOptions options;
  options.instance_name = arguments.source.instance_name;
  options.goals = arguments.goals;
  options.ignore_discount = arguments.discount == "ignore";
  if (!arguments.discount.empty() && !options.ignore_discount)
    options.discount_digits = parse_discount_digits(arguments.discount);
  if (!arguments.determinize.empty()) options.determinization = parse_determinization(arguments.determinize);
  options.bits = parse_given_bits(arguments.source.bits);
  options.precision = parse_precision(arguments.precision);
  options.ranges = parse_given_ranges(arguments.ranges);
  options.learned = arguments.learned;
  options.table_bits = arguments.table_bits;
  options.horizon = arguments.horizon;
  options.reachable_ranges = arguments.reachable_ranges;
  options.watch = &watch;
  options.progress = [&](const CompileProgress& progress) { view.update(progress); };
  if (!arguments.network.empty()) {
    NetworkNameLines& lines = options.network_lines.emplace();
    options.network = read_files_as(FileKind::network, {arguments.network},
                                    [&] { return read_network(arguments.network, &lines); });
    options.network_file = network_reference(arguments.network, arguments.output);
  } else if (!options.learned.empty()) {
    throw InputError("--learned needs --network: what is learned is what a network gives");
  }
  return read_files_as(FileKind::rddl, {arguments.source.domain, arguments.source.instance}, [&] {
    return compile(arguments.source.domain, arguments.source.instance, options, &notes);
  });
}

int run_compile(const CompileArguments& arguments) {
  Limits limits;
  limits.seconds = arguments.seconds;
  if (arguments.memory_mebibytes) limits.memory_bytes = *arguments.memory_mebibytes << 20;
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
  CLI::App* command = app.add_subcommand("compile", "Compile an RDDL domain into a problem file");
  auto arguments = std::make_shared<CompileArguments>();
  arguments->source.add_files(*command);
  command->add_option("-o,--output", arguments->output, "Problem file to write, - for standard output")
      ->required()
      ->type_name("PROBLEM.toml");
  command
      ->add_option("--network", arguments->network,
                   "Network that gives the fluents it has as outputs; all others become known transitions")
      ->type_name("NET.bnn");
  command->add_option("--learned", arguments->learned, "The fluents the network must give, to be checked")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FLUENT,...");
  command
      ->add_option(
          "--determinize", arguments->determinize,
          "What to plan with where the domain is random: most-likely, mean, threshold=P (true where its "
          "probability "
          "is at least P), sample=SEED (one future, drawn once), hindsight=N (N futures under the same "
          "actions, the mean reward)")
      ->type_name("HOW");
  command
      ->add_option(
          "--precision", arguments->precision,
          "Plan with a real fluent as a multiple of P (1, 0.1, 0.01, ...); without a name, with all reals")
      ->allow_extra_args(false)
      ->type_name("[NAME=]P");
  command
      ->add_option("--range", arguments->ranges,
                   "The range of a number, where the domain states none (of reals, random episodes find one)")
      ->allow_extra_args(false)
      ->type_name("NAME=LOW..HIGH");
  command
      ->add_option("--goal", arguments->goals,
                   "A condition on the last state, in RDDL, beside those of the files")
      ->allow_extra_args(false)
      ->type_name("CONDITION");
  command
      ->add_option("--discount", arguments->discount,
                   "ignore: sum the rewards although the instance discounts them; digits=N: round the "
                   "weights of steps "
                   "to N decimals (they are exact otherwise, which fits for some 18 decimals)")
      ->type_name("HOW");
  arguments->source.add_rest(*command);
  command->add_flag(
      "--reachable-ranges", arguments->reachable_ranges,
      "Integers that nothing bounds have the values that can be reached within the horizon: the problem is "
      "right for this horizon and shorter ones");
  command->add_option("-H,--horizon", arguments->horizon, "Horizon to write instead of that of the instance")
      ->check(whole_number(1, horizon_limit))
      ->type_name("N");
  command
      ->add_option(
          "--table-bits", arguments->table_bits,
          fmt::format("Most bits that a tabulated expression may depend on ({})", arguments->table_bits))
      ->check(whole_number(1, prime_cover_inputs))
      ->type_name("N");
  command->add_option("--time-limit", arguments->seconds, "Stop after this many seconds of wall time")
      ->check(positive_number())
      ->type_name("S");
  command->add_option("--memory-limit", arguments->memory_mebibytes, "Stop when using more memory than this")
      ->check(whole_number(1, most_mebibytes))
      ->type_name("MIB");
  command->footer(
      "Example: bnnplan compile domains/navigation.rddl domains/navigation_3x3.rddl -o navigation_3x3.toml");
  command->callback([arguments, &exit_code] { exit_code = run_compile(*arguments); });
}

}  // namespace bnnplan
