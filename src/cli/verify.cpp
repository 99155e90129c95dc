// bnnplan verify: questions to a network, answered with proof.
#include <optional>
#include <string_view>
#include <vector>

#include <bnnplan/verify.hpp>
#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/output_file.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/live_line.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/cli/question.hpp"
#include "bnnplan/cli/watchdog.hpp"

namespace bnnplan::cli {

namespace {

struct VerifyCommand {
  std::string network;
  VerifyOptions options;
  std::string opb, result, picture, report, colour = "auto";
  bool json = false, show = false;
};

// The formula that the solver gets, and what its values are.
struct AskedFormula {
  PbFormula formula;
  mpq_class unit = 1, offset = 0;
};
struct MakeFormula {
  static AskedFormula of(const verification::FlipQuestion& question) {
    return {question_formula(question), question.unit};
  }
  AskedFormula operator()(const Network& network, const verification::VerifyQuery& query) const {
    return of(verification::make_question(network, query));
  }
  AskedFormula operator()(const Network& network, const MonotoneQuery& query) const {
    return of(make_monotone_question(network, query).question);
  }
  AskedFormula operator()(const Network& network, const Network& other, const verification::Region& region,
                          Equality by) const {
    return of(make_equal_question(network, other, region, by).question);
  }
  AskedFormula operator()(const Network& network, const verification::LinearQuery& query) const {
    verification::LinearQuestion question = verification::make_linear_question(network, query);
    return {std::move(question.formula), question.unit, question.offset};
  }
};

void export_question(const VerifyCommand& command, const Network& network) {
  const AskedFormula asked = ask(command.options, network, MakeFormula());
  OutputFile file(command.opb);
  write_opb(asked.formula,
            {fmt::format("{}, {}", command.network, file_of_numbers(command.options)),
             fmt::format("distance = value * {}{}", exact_text(asked.unit),
                         asked.offset == 0 ? "" : fmt::format(" + {}", exact_text(asked.offset)))},
            file);
  file.commit();
}

// The pictures of an answer, where they were asked for.
void show_panels(const VerifyCommand& command, const Network& network, const std::vector<Panel>& panels,
                 const std::string& answer, const std::vector<mpq_class>& scores,
                 const std::vector<mpq_class>& changed_scores) {
  if (!command.picture.empty())
    write_text_file(command.picture, exchange::png_bytes(beside_each_other(panels)));
  if (!command.report.empty())
    write_text_file(command.report,
                    picture_page(command.options.image, panels, answer, network, scores, changed_scores));
  if (command.show) print(panels_text(panels, output_style(command.colour)));
}

// How the inputs are a picture, if pictures were asked for.
std::optional<PictureShape> shape_if_wanted(const VerifyCommand& command, const Network& network) {
  if (!command.show && command.picture.empty() && command.report.empty()) return std::nullopt;
  const auto shape = picture_shape(command.options.image, network, command.options.transpose);
  if (!shape)
    throw InputError(command.options.image,
                     fmt::format("the {} inputs of the network are not a picture", network.inputs.size()));
  return shape;
}

// One question to all inputs of a folder. The limits are for each of them.
int run_all(const VerifyCommand& command) {
  const Network network = read_network_argument(command.network);
  const verification::VerifyQuery query = folder_query(command.options, network);
  const std::vector<LabelledFile> files = labelled_files(command.options.folder, network);
  VerifyRequest request;
  request.limits = on_this_machine(command.options.request.limits);
  request.limits.interrupt = catch_signals();
  LiveLine line;
  std::size_t done = 0;
  print(folder_headline());
  const FolderSummary summary =
      verify_files(network, files, query, request, command.options.transpose, [&](const FolderRow& row) {
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
          if (is_vnnlib(command_.options.query)) {
            say(stopped == StopReason::time ? "timeout\n" : "unknown\n");
          } else {
            const auto why = stop_reason_text(stopped);
            answer({{{"status", "unknown"}, {"stopped", why}}, fmt::format("unknown: {}\n", why)});
          }
          return exit_unknown;
        }) {}

  Limits limits(double used) const {
    Limits limits = on_this_machine(command_.options.request.limits.after(used));
    limits.interrupt = interrupt_;
    return limits;
  }

  VerifyRequest request() {
    VerifyRequest request = command_.options.request;
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

  void say(const std::string& text) {
    line_.clear();
    print(text);
  }
  void answer(const Answer& answer, bool proof_written = true) {
    say(command_.json ? answer.json() : answer.text);
    say_about_proof(proof_written);
  }

  void say_about_proof(bool written) const {
    if (command_.options.request.proof.empty() || written) return;
    print_message(fmt::format("bnnplan: there is nothing to prove, or it was not proved: {} is not written\n",
                              printable(command_.options.request.proof.string())));
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
  if (const VerifyOptions& asked = command.options; !asked.equal.empty()) {
    const Network other = read_network_argument(asked.equal, true);
    const verification::Region region = verify_region(asked, network);
    outcome =
        compare_networks(network, other, region, asked.equal_by.value_or(Equality::classes), call.request());
    call.answer(equal_answer(network, region, outcome, call.seconds()), outcome.proof_written);
    if (region.values && !region.epsilon) return exit_code_of(outcome.status);  // the nearest was asked for
  } else {
    const MonotoneQuery query = monotone_query(asked, network);
    outcome = check_monotone(network, query, call.request());
    call.answer(monotone_answer(network, query, outcome, call.seconds()), outcome.proof_written);
  }
  return exit_code_of_claim(outcome.status);
}

int run_vnnlib(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  const VnnLibQuery query = read_vnnlib(command.options.query, network);
  const LinearOutcome outcome = answer_linear(network, query.query, call.request());
  const std::string result = vnnlib_result(query, outcome);
  if (!command.result.empty()) write_text_file(command.result, result);
  call.say(command.result.empty() ? result : std::string(vnnlib_status(outcome)) + "\n");
  call.say_about_proof(outcome.proof_written);
  return exit_code_of_claim(outcome.status);
}

int run_query_file(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  if (is_vnnlib(command.options.query)) return run_vnnlib(command, call, network);
  const QueryFile file = read_query_file(command.options.query, network);
  const LinearOutcome outcome = answer_linear(network, file.query, call.request());
  call.answer(query_answer(network, file, outcome, call.seconds()), outcome.proof_written);
  return file.query.prove ? exit_code_of_claim(outcome.status) : exit_code_of(outcome.status);
}

int run_explain(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  const ExplainQuery query = explain_query(command.options, network);
  const std::optional<PictureShape> shape = shape_if_wanted(command, network);
  ExplainCallbacks callbacks;
  callbacks.progress = [&](std::size_t size, std::size_t at_least) {
    call.show(fmt::format("{} inputs, at least {}", size, at_least));
  };
  const Explanation found = explain(network, query, call.limits(call.seconds()), callbacks);
  const Answer answer = explanation_answer(network, query, found, call.seconds());
  call.answer(answer);
  if (shape && found.found)
    show_panels(command, network, explanation_panels(network, *shape, query.values, found.inputs),
                answer.text, {}, {});
  const bool proved = query.kind == ExplanationKind::smallest ? found.is_smallest : found.is_minimal;
  return proved ? exit_success : found.found ? exit_plan : exit_unknown;
}

int run_count(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  const verification::VerifyQuery query = verify_query(command.options, network);
  const CountOf what = *command.options.count;
  const CountOutcome outcome = count_misclassified(network, query, what, call.limits(call.seconds()));
  call.answer(count_answer(what, outcome, call.seconds()));
  return outcome.exact ? exit_success : exit_plan;
}

int run_nearest(const VerifyCommand& command, VerifyCall& call, const Network& network) {
  const verification::VerifyQuery query = verify_query(command.options, network);
  const std::optional<PictureShape> shape = shape_if_wanted(command, network);
  const VerifyOutcome outcome = verify(network, query, call.request());
  const Answer answer = verify_answer(network, query, outcome, call.seconds());
  call.answer(answer, outcome.proof_written);
  if (shape)
    show_panels(command, network, change_panels(network, *shape, query.values, outcome.values), answer.text,
                outcome.scores, outcome.changed_scores);
  return query.epsilon ? exit_code_of_claim(outcome.status) : exit_code_of(outcome.status);
}

int run_verify(const VerifyCommand& command) {
  const VerifyOptions& asked = command.options;
  if (!asked.folder.empty()) return run_all(command);
  for (const std::string& file :
       {asked.request.proof.string(), command.result, command.picture, command.report}) {
    if (!file.empty()) require_writable(file);
  }
  if (!command.result.empty() && !is_vnnlib(asked.query))
    throw InputError("--result is for questions in VNN-LIB");
  VerifyCall call(command);
  const Network network = read_network_argument(command.network, takes_any_network(asked));
  return verification::with_file_of_numbers(file_of_numbers(asked), [&] {
    if (asked.explain) return run_explain(command, call, network);
    if (asked.count) return run_count(command, call, network);
    if (!command.opb.empty()) export_question(command, network);
    if (!asked.query.empty()) return run_query_file(command, call, network);
    if (takes_any_network(asked)) return run_joint(command, call, network);
    return run_nearest(command, call, network);
  });
}

}  // namespace

void add_verify_command(CLI::App& app, int& exit_code) {
  auto [command, options] = add_command(app, exit_code, "verify",
                                        "Ask how near to an input a network errs, with proof", run_verify);
  add_argument(command, "NETWORK", options.network, "A classifier (.bnn); see `bnnplan import --help`");
  options.options.request.limits = whole_machine();
  add_options(command, options_of(options.options));
  add_file_option(command, "--opb", options.opb,
                  "Write the question as a pseudo-Boolean problem to this file", "FILE");
  add_json_option(command, options.json);
  add_file_option(command, "--result", options.result,
                  "Write the answer as VNN-COMP asks: sat with the input, unsat, ...", "FILE");
  command.add_flag("--show", options.show,
                   "Draw the input, as it was changed, and the difference, on the terminal");
  add_file_option(command, "--picture", options.picture, "Write these as one picture", "FILE.png");
  add_file_option(command, "--report", options.report,
                  "Write a page with these and the scores of all classes", "PAGE.html");
  add_colour_option(command, options.colour);
  const auto exclude = [&command = command](const std::vector<const char*>& some,
                                            const std::vector<const char*>& others) {
    for (const char* one : some) {
      for (const char* other : others) command.get_option(one)->excludes(command.get_option(other));
    }
  };
  exclude({"--all"}, {"--opb", "--json", "--result", "--show", "--picture", "--report"});
  exclude({"QUERY", "--equal", "--monotone"}, {"--show", "--picture", "--report"});
  exclude({"--explain", "--count"}, {"--opb"});
  command.footer(
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
}

}  // namespace bnnplan::cli
