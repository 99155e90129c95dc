// bnnplan eval: a network on data.
#include <filesystem>
#include <string>
#include <vector>

#include <bnnplan/exchange.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/cli/question.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan::cli {

namespace {

struct EvalCommand {
  std::string network, output;
  std::vector<std::string> inputs;
  EvalOptions eval;
};

std::string share_text(std::size_t part, std::size_t all) {
  return fmt::format("{} of {} ({:.2f} percent)", part, all,
                     all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

std::string summary(const Network& network, const Evaluation& evaluation) {
  std::string text = fmt::format("{} evaluated", count_text(evaluation.samples, "sample"));
  if (evaluation.right) text += fmt::format(", right: {}", share_text(*evaluation.right, evaluation.samples));
  if (evaluation.ties > 0) text += fmt::format("; ties between the best classes: {}", evaluation.ties);
  text += '\n';
  for (std::size_t o = 0; o < evaluation.output_errors.size(); ++o) {
    if (evaluation.output_errors[o] > 0)
      text += fmt::format("  {} wrong: {}\n", printable(network.outputs[o]),
                          share_text(evaluation.output_errors[o], evaluation.samples));
  }
  return text;
}

int run_eval(const EvalCommand& command) {
  const Network network = read_network_argument(command.network, true);
  const std::vector<std::filesystem::path> files(command.inputs.begin(), command.inputs.end());
  const Evaluation evaluation = evaluate_samples(network, files, command.eval);
  // Results or what there is to say about them; where the results go to standard output, that goes elsewhere.
  const bool printed = command.output == "-" || (command.output.empty() && !evaluation.right);
  if (printed) {
    print(evaluation_csv(network, evaluation));
    print_message(summary(network, evaluation));
    return exit_success;
  }
  if (!command.output.empty()) write_text_file(command.output, evaluation_csv(network, evaluation));
  print(summary(network, evaluation));
  return exit_success;
}

}  // namespace

void add_eval_command(CLI::App& app, int& exit_code) {
  auto [command, options] = add_command(
      app, exit_code, "eval", "Run a network on data: outputs, classes, and how many are right", run_eval);
  add_argument(command, "NETWORK", options.network, "Network (.bnn), - for standard input");
  add_argument(command, "INPUTS", options.inputs,
               "One .csv, .npy or idx file of samples, or pictures (.png), one sample each");
  add_file_option(
      command, "-o,--output", options.output,
      "Where to write a line for each sample (.csv); without it they are printed, or, with\nlabels, only "
      "how many are right",
      "OUT.csv");
  add_options(command, options_of(options.eval));
  command.footer(
      "Columns of a .csv file are found by the names of the inputs; where none of them is there, or there is "
      "no\n"
      "header, they are taken in their order. Columns with the names of output bits are what is right.\n"
      "Example: bnnplan eval digits.bnn t10k-images-idx3-ubyte --labels t10k-labels-idx1-ubyte -o "
      "classes.csv");
}

}  // namespace bnnplan::cli
