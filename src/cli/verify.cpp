// bnnplan verify: questions to a network, answered with proof.
#include <memory>

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

namespace bnnplan {

namespace {

struct VerifyCommand {
  std::string network, folder;
  QueryOptions query;
  SolverLimits limits;
  std::string proof, proof_version = "3.0", opb;
  bool json = false;
};

int exit_code_of(VerifyStatus status, bool epsilon) {
  switch (status) {
    case VerifyStatus::nearest:
      return epsilon ? exit_not_robust : exit_success;
    case VerifyStatus::found:
      return exit_plan;
    case VerifyStatus::none:
      return epsilon ? exit_success : exit_infeasible;
    case VerifyStatus::unknown:
      return exit_unknown;
  }
  __builtin_unreachable();
}

void export_question(const VerifyCommand& command, const Network& network, const VerifyQuery& query) {
  const FlipQuestion question = make_question(network, query);
  OutputFile file(command.opb);
  write_opb(question_formula(question),
            {fmt::format("{}, {}", command.network, command.query.image),
             fmt::format("distance = value * {}", exact_text(question.unit))},
            file);
  file.commit();
}

// One question to all inputs of a folder. The limits are for each of them.
int run_all(const VerifyCommand& command) {
  const Network network = read_network_argument(command.network);
  const VerifyQuery query = command.query.without_input(network);
  const std::vector<LabelledFile> files = labelled_files(command.folder, network);
  VerifyRequest request;
  request.limits = command.limits.after(0);
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

int run_verify(const VerifyCommand& command) {
  if (!command.folder.empty()) return run_all(command);
  const Stopwatch stopwatch;
  if (!command.proof.empty()) require_writable(command.proof);
  Limits limits = command.limits.after(0);
  limits.interrupt = catch_signals();
  LiveLine line;
  const Watchdog watchdog(limits, [&](StopReason stopped) {
    line.clear();
    const auto why = stop_reason_text(stopped);
    print(command.json ? fmt::format("{{\"status\": \"unknown\", \"stopped\": \"{}\"}}\n", why)
                       : fmt::format("unknown: {}\n", why));
    return exit_unknown;
  });
  const Network network = read_network_argument(command.network);
  const VerifyQuery query = command.query.read(network);
  if (!command.opb.empty()) export_question(command, network, query);
  VerifyRequest request;
  request.limits = command.limits.after(stopwatch.seconds());
  request.limits.interrupt = limits.interrupt;
  request.proof = command.proof;
  request.proof_version = command.proof_version;
  if (line.on_terminal()) {
    request.callbacks.bounds = [&](const mpq_class& lower, const std::optional<mpq_class>& upper) {
      line.show(fmt::format("{:.1f} s: nothing nearer than {}{}", stopwatch.seconds(), exact_text(lower),
                            upper ? ", something at " + exact_text(*upper) : ""));
    };
  }
  const VerifyOutcome outcome = verify(network, query, request);
  line.clear();
  print(command.json ? verify_json(network, query, outcome, stopwatch.seconds())
                     : verify_text(network, query, outcome, stopwatch.seconds()));
  if (!command.proof.empty() && !outcome.proof_written)
    print_message(fmt::format("bnnplan: there is nothing to prove, or it was not proved: {} is not written\n",
                              printable(command.proof)));
  return exit_code_of(outcome.status, query.epsilon.has_value());
}

}  // namespace

void add_verify_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("verify", "Ask how near to an input a network errs, with proof");
  auto options = std::make_shared<VerifyCommand>();
  command->add_option("NETWORK", options->network, "A classifier (.bnn); see `bnnplan import --help`")
      ->required();
  options->query.add_to(*command);
  CLI::Option* folder =
      command
          ->add_option(
              "--all", options->folder,
              "Ask about all inputs of a folder, NAME_labelCLASS.png or CLASS/NAME.png: a table, and the\n"
              "share that is proved robust. Limits are for each input")
          ->type_name("FOLDER");
  for (const char* other : {"--image", "--label"}) folder->excludes(command->get_option(other));
  options->limits.add_to(*command);
  CLI::Option* proof =
      command
          ->add_option("--proof", options->proof,
                       "Write a VeriPB proof that nothing is nearer, or that the network is robust here")
          ->type_name("FILE");
  command->add_option("--proof-version", options->proof_version, "Version of the VeriPB format: 1.2 or 3.0")
      ->check(one_of({"1.2", "3.0"}))
      ->needs(proof)
      ->type_name("V");
  command->add_option("--opb", options->opb, "Write the question as a pseudo-Boolean problem to this file")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Print one JSON object instead of text")->excludes(folder);
  for (const char* other : {"--proof", "--opb"}) folder->excludes(command->get_option(other));
  command->footer(
      "Distances are of the numbers that the network takes: l0 (how many change), l1 (their sum), l2 (with\n"
      "--minimal the sum of their squares), linf (the largest). docs/verify.md says more.\n"
      "Exit codes with --minimal: 0 the nearest, 10 one that is not proved the nearest, 11 nothing found "
      "within\n"
      "the limits, 20 there is none. With --epsilon: 0 robust, 22 not robust, 11 not known within the "
      "limits.\n"
      "With --all: 0 every input has its answer, 11 some are not known within the limits.\n"
      "Example: bnnplan verify digits.bnn --image 7.png --label 7 --minimal l0 --proof 7.pbp\n"
      "         bnnplan check-proof digits.bnn 7.pbp --image 7.png --label 7 --minimal l0");
  command->callback([options, &exit_code] { exit_code = run_verify(*options); });
}

}  // namespace bnnplan
