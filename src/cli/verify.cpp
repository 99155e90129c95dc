// bnnplan verify: questions to a network, answered with proof.
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <bnnplan/verify.hpp>
#include <fmt/format.h>

#include "base/exact_number.hpp"
#include "base/output_file.hpp"
#include "base/stopwatch.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/interrupt.hpp"
#include "cli/live_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/query_options.hpp"
#include "cli/watchdog.hpp"
#include "verify/answer_text.hpp"
#include "verify/picture.hpp"
#include "verify/vnnlib.hpp"

namespace bnnplan {

namespace {

struct VerifyCommand {
  std::string network, folder;
  QueryOptions query;
  VerifyRequest request;
  std::string opb;
  std::string explain, count, result, picture, report, colour = "auto";
  bool json = false, show = false;

  bool is_joint() const { return !query.equal.empty() || !query.monotone.empty(); }
};

void export_question(const VerifyCommand& command, const Network& network) {
  const QueryOptions::Formula asked = command.query.formula(network);
  OutputFile file(command.opb);
  write_opb(asked.formula,
            {fmt::format("{}, {}", command.network,
                         command.query.is_file() ? command.query.file : command.query.image),
             fmt::format("distance = value * {}{}", exact_text(asked.unit),
                         asked.offset == 0 ? "" : fmt::format(" + {}", exact_text(asked.offset)))},
            file);
  file.commit();
}

void write_whole(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

// The pictures of an answer, where they were asked for.
void show_panels(const VerifyCommand& command, const Network& network, const std::vector<Panel>& panels,
                 const std::string& answer, const std::vector<mpq_class>& scores,
                 const std::vector<mpq_class>& changed_scores) {
  if (!command.picture.empty()) write_whole(command.picture, png_bytes(beside_each_other(panels)));
  if (!command.report.empty())
    write_whole(command.report,
                picture_page(command.query.image, panels, answer, network, scores, changed_scores));
  if (command.show) print(panels_text(panels, output_style(command.colour)));
}

// How the inputs are a picture, if pictures were asked for.
std::optional<PictureShape> shape_if_wanted(const VerifyCommand& command, const Network& network) {
  if (!command.show && command.picture.empty() && command.report.empty()) return std::nullopt;
  const auto shape = picture_shape(command.query.image, network, command.query.transpose);
  if (!shape)
    throw InputError(command.query.image,
                     fmt::format("the {} inputs of the network are not a picture", network.inputs.size()));
  return shape;
}

// One question to all inputs of a folder. The limits are for each of them.
int run_all(const VerifyCommand& command) {
  const Network network = read_network_argument(command.network);
  const VerifyQuery query = command.query.without_input(network);
  const std::vector<LabelledFile> files = labelled_files(command.folder, network);
  VerifyRequest request;
  request.limits = on_this_machine(command.request.limits);
  request.limits.interrupt = catch_signals();
  LiveLine line;
  std::size_t done = 0;
  print(folder_headline());
  const FolderSummary summary =
      verify_files(network, files, query, request, command.query.transpose, [&](const FolderRow& row) {
        line.clear();
        print(folder_row_text(network, query, row));
        if (line.on_terminal()) line.show(fmt::format("{} of {}", ++done, files.size()));
      });
  line.clear();
  print(folder_summary_text(query, summary));
  const std::size_t answered =
      query.epsilon ? summary.robust + summary.refuted : summary.robust + summary.proved;
  return answered == files.size() ? exit_success : exit_unknown;
}

// What all questions about one input, or none, have in common: limits, progress, proofs.
class VerifyCall {
 public:
  explicit VerifyCall(const VerifyCommand& command)
      : command_(command), interrupt_(catch_signals()), watchdog_(limits(0), [this](StopReason stopped) {
          line_.clear();
          const auto why = stop_reason_text(stopped);
          if (command_.query.is_vnnlib()) {
            print(stopped == StopReason::time ? "timeout\n" : "unknown\n");
          } else {
            print(command_.json ? fmt::format("{{\"status\": \"unknown\", \"stopped\": \"{}\"}}\n", why)
                                : fmt::format("unknown: {}\n", why));
          }
          return exit_unknown;
        }) {}

  Limits limits(double used) const {
    Limits limits = on_this_machine(command_.request.limits.after(used));
    limits.interrupt = interrupt_;
    return limits;
  }

  VerifyRequest request() {
    VerifyRequest request = command_.request;
    request.limits = limits(seconds());
    if (line_.on_terminal()) {
      request.callbacks.bounds = [this](const mpq_class& lower, const std::optional<mpq_class>& upper) {
        line_.show(fmt::format("{:.1f} s: nothing nearer than {}{}", seconds(), exact_text(lower),
                               upper ? ", something at " + exact_text(*upper) : ""));
      };
    }
    return request;
  }

  void show(const std::string& text) {
    if (line_.on_terminal()) line_.show(fmt::format("{:.1f} s: {}", seconds(), text));
  }

  void answer(const std::string& text) {
    line_.clear();
    print(text);
  }

  void say_about_proof(bool written) const {
    if (command_.request.proof.empty() || written) return;
    print_message(fmt::format("bnnplan: there is nothing to prove, or it was not proved: {} is not written\n",
                              printable(command_.request.proof.string())));
  }

  double seconds() const { return stopwatch_.seconds(); }

 private:
  const VerifyCommand& command_;
  Stopwatch stopwatch_;
  const std::atomic<bool>* interrupt_;
  LiveLine line_;
  Watchdog watchdog_;
};

// Of questions that look for an input that ought not to exist: robust, equal, monotone, prove.
int exit_code_of_claim(Status status) {
  return status == Status::infeasible ? exit_success
         : status == Status::unknown  ? exit_unknown
                                      : exit_not_robust;
}

int run_joint(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  JointOutcome outcome;
  if (!command.query.equal.empty()) {
    const Network other = read_network_argument(command.query.equal, true);
    const Region region = command.query.region(network);
    outcome = compare_networks(network, other, region, command.query.equality(), call.request());
    call.answer((command.json ? equal_json : equal_text)(network, region, outcome, call.seconds()));
    if (region.values && !region.epsilon) {  // the nearest was asked for
      call.say_about_proof(outcome.proof_written);
      return exit_code_of(outcome.status);
    }
  } else {
    const MonotoneQuery query = command.query.monotone_query(network);
    outcome = check_monotone(network, query, call.request());
    call.answer((command.json ? monotone_json : monotone_text)(network, query, outcome, call.seconds()));
  }
  call.say_about_proof(outcome.proof_written);
  return exit_code_of_claim(outcome.status);
}

int run_vnnlib(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  const VnnLibQuery query = command.query.vnnlib_query(network);
  const LinearOutcome outcome = answer_linear(network, query.query, call.request());
  const std::string result = vnnlib_result(query, outcome);
  if (!command.result.empty()) write_whole(command.result, result);
  call.answer(command.result.empty() ? result : std::string(vnnlib_status(outcome)) + "\n");
  call.say_about_proof(outcome.proof_written);
  return exit_code_of_claim(outcome.status);
}

int run_query_file(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  if (command.query.is_vnnlib()) return run_vnnlib(command, call, network);
  const QueryFile file = command.query.file_query(network);
  const LinearOutcome outcome = answer_linear(network, file.query, call.request());
  call.answer((command.json ? query_json : query_text)(network, file, outcome, call.seconds()));
  call.say_about_proof(outcome.proof_written);
  return file.query.prove ? exit_code_of_claim(outcome.status) : exit_code_of(outcome.status);
}

int run_explain(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  const ExplainQuery query = command.query.explain_query(network, command.explain);
  const std::optional<PictureShape> shape = shape_if_wanted(command, network);
  ExplainCallbacks callbacks;
  callbacks.progress = [&](std::size_t size, std::size_t at_least) {
    call.show(fmt::format("{} inputs, at least {}", size, at_least));
  };
  const Explanation answer = explain(network, query, call.limits(call.seconds()), callbacks);
  const std::string text = explanation_text(network, query, answer, call.seconds());
  call.answer(command.json ? explanation_json(network, query, answer, call.seconds()) : text);
  if (shape && answer.found)
    show_panels(command, network, explanation_panels(network, *shape, query.values, answer.inputs), text, {},
                {});
  const bool proved = query.kind == ExplanationKind::smallest ? answer.is_smallest : answer.is_minimal;
  return proved ? exit_success : answer.found ? exit_plan : exit_unknown;
}

int run_count(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  const VerifyQuery query = command.query.read(network);
  const CountOf what = command.count == "values" ? CountOf::values : CountOf::patterns;
  const CountOutcome outcome = count_misclassified(network, query, what, call.limits(call.seconds()));
  call.answer((command.json ? count_json : count_text_of)(what, outcome, call.seconds()));
  return outcome.exact ? exit_success : exit_plan;
}

int run_nearest(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  const VerifyQuery query = command.query.read(network);
  const std::optional<PictureShape> shape = shape_if_wanted(command, network);
  const VerifyOutcome outcome = verify(network, query, call.request());
  const std::string text = verify_text(network, query, outcome, call.seconds());
  call.answer(command.json ? verify_json(network, query, outcome, call.seconds()) : text);
  if (shape)
    show_panels(command, network, change_panels(network, *shape, query.values, outcome.values), text,
                outcome.scores, outcome.changed_scores);
  call.say_about_proof(outcome.proof_written);
  return query.epsilon ? exit_code_of_claim(outcome.status) : exit_code_of(outcome.status);
}

int run_verify(const VerifyCommand& command) {
  if (!command.folder.empty()) return run_all(command);
  for (const std::string& file :
       {command.request.proof.string(), command.result, command.picture, command.report}) {
    if (!file.empty()) require_writable(file);
  }
  if (!command.result.empty() && !command.query.is_vnnlib())
    throw InputError("--result is for questions in VNN-LIB");
  VerifyCall call(command);
  const Network network =
      read_network_argument(command.network, command.is_joint() || command.query.is_file());
  return with_file_of_numbers(command.query.file_of_numbers(), [&] {
    if (!command.explain.empty()) return run_explain(command, call, network);
    if (!command.count.empty()) return run_count(command, call, network);
    if (!command.opb.empty()) export_question(command, network);
    if (command.query.is_file()) return run_query_file(command, call, network);
    if (command.is_joint()) return run_joint(command, call, network);
    return run_nearest(command, call, network);
  });
}

}  // namespace

void add_verify_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("verify", "Ask how near to an input a network errs, with proof");
  auto options = std::make_shared<VerifyCommand>();
  command->add_option("NETWORK", options->network, "A classifier (.bnn); see `bnnplan import --help`")
      ->required();
  command->add_option("QUERY", options->query.file,
                      "A question as a file: linear conditions in TOML, or VNN-LIB 1.0 or 2.0 (.vnnlib)");
  options->query.add_to(*command);
  command
      ->add_option(
          "--explain", options->explain,
          "Ask which inputs fix the class: a set none of which can be left out (minimal), or one of\n"
          "the fewest (smallest). With --epsilon the others change by no more than this")
      ->check(one_of({"minimal", "smallest"}))
      ->type_name("KIND");
  command
      ->add_option(
          "--count", options->count,
          "Count what is classified otherwise within --epsilon: patterns of bits, or inputs (values)")
      ->check(one_of({"patterns", "values"}))
      ->type_name("WHAT");
  CLI::Option* folder =
      command
          ->add_option(
              "--all", options->folder,
              "Ask about all inputs of a folder, NAME_labelCLASS.png or CLASS/NAME.png: a table, and the\n"
              "share that is proved robust. Limits are for each input")
          ->type_name("FOLDER");
  for (const char* other : {"--image", "--label"}) folder->excludes(command->get_option(other));
  options->request.limits = whole_machine();
  add_options(*command, options_of(options->request));
  command->add_option("--opb", options->opb, "Write the question as a pseudo-Boolean problem to this file")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Print one JSON object instead of text")->excludes(folder);
  command
      ->add_option("--result", options->result,
                   "Write the answer as VNN-COMP asks: sat with the input, unsat, ...")
      ->type_name("FILE");
  command->add_flag("--show", options->show,
                    "Draw the input, as it was changed, and the difference, on the terminal");
  command->add_option("--picture", options->picture, "Write these as one picture")->type_name("FILE.png");
  command->add_option("--report", options->report, "Write a page with these and the scores of all classes")
      ->type_name("PAGE.html");
  add_colour_option(*command, options->colour);
  for (const char* other : {"--proof", "--opb", "QUERY", "--equal", "--monotone", "--explain", "--count",
                            "--result", "--show", "--picture", "--report"})
    folder->excludes(command->get_option(other));
  const std::vector<const char*> kinds{"QUERY", "--equal", "--monotone", "--explain", "--count"};
  for (const char* kind : kinds) {
    for (const char* other : kinds) {
      if (kind != other) command->get_option(kind)->excludes(command->get_option(other));
    }
  }
  for (const char* other :
       {"--image", "--label", "--target", "--minimal", "--epsilon", "--show", "--picture", "--report"})
    command->get_option("QUERY")->excludes(command->get_option(other));
  for (const char* other : {"--label", "--target", "--show", "--picture", "--report"}) {
    command->get_option("--equal")->excludes(command->get_option(other));
    command->get_option("--monotone")->excludes(command->get_option(other));
  }
  for (const char* other : {"--target", "--proof", "--opb"}) {
    command->get_option("--explain")->excludes(command->get_option(other));
    if (other != std::string_view("--target"))
      command->get_option("--count")->excludes(command->get_option(other));
  }
  command->footer(
      "Distances are of the numbers that the network takes: l0 (how many change), l1 (their sum), l2 (with\n"
      "--minimal the sum of their squares), linf (the largest). docs/verify.md says more.\n"
      "Exit codes with --minimal: 0 the nearest, 10 one that is not proved the nearest, 11 nothing found "
      "within\n"
      "the limits, 20 there is none. With --epsilon: 0 robust, 22 not robust, 11 not known within the "
      "limits.\n"
      "--equal, --monotone, a QUERY with 'prove', VNN-LIB: 0 proved (unsat), 22 refuted (sat), 11 not known. "
      "A\n"
      "QUERY with 'find': as --minimal. --explain, --count: 0 as asked, 10 not proved minimal, or bounds "
      "only, 11\n"
      "nothing. With --all: 0 every input has its answer, 11 some are not known within the limits.\n"
      "Example: bnnplan verify digits.bnn --image 7.png --label 7 --minimal l0 --proof 7.pbp\n"
      "         bnnplan check-proof digits.bnn 7.pbp --image 7.png --label 7 --minimal l0\n"
      "         bnnplan verify digits.bnn --equal pruned.bnn --image 7.png --epsilon 8 --norm linf\n"
      "         bnnplan verify digits.bnn --image 7.png --explain minimal --show\n"
      "         bnnplan verify digits.bnn robust.vnnlib --time-limit 60 --result robust.txt");
  command->callback([options, &exit_code] { exit_code = run_verify(*options); });
}

}  // namespace bnnplan
