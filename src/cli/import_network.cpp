// bnnplan import onnx|npz|torch: networks of other tools into ours.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <bnnplan/exchange.hpp>
#include <fmt/format.h>

#include "base/exact_number.hpp"
#include "base/input_error.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace bnnplan {

namespace {

struct ImportNetworkOptions {
  std::string file, output, range, step, scale, bits, epsilon, tie, outputs, class_tie;
  std::vector<std::string> classes, order;
  bool latent = false;
};

std::optional<mpq_class> exact_option(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return parse_exact(text);
}

std::optional<std::pair<mpq_class, mpq_class>> pair_option(const std::string& text, char between) {
  if (text.empty()) return std::nullopt;
  const auto cut = text.find(between);
  return std::pair{*parse_exact(text.substr(0, cut)), *parse_exact(text.substr(cut + 1))};
}

ImportOptions import_options(const ImportNetworkOptions& given) {
  ImportOptions options;
  options.range = pair_option(given.range, ':');
  options.step = exact_option(given.step);
  options.scale = exact_option(given.scale);
  options.bits = pair_option(given.bits, ',');
  options.epsilon = exact_option(given.epsilon);
  options.latent = given.latent;
  if (!given.tie.empty()) options.tie = given.tie == "1" ? ZeroGives::one : ZeroGives::zero;
  if (!given.outputs.empty()) options.scores = given.outputs == "scores";
  if (!given.class_tie.empty())
    options.class_tie = given.class_tie == "lowest" ? ClassTie::lowest : ClassTie::highest;
  options.classes = given.classes;
  options.order = given.order;
  return options;
}

int run_import_network(NetworkSource source, const ImportNetworkOptions& given) {
  const Network network = import_network(source, given.file, import_options(given));
  write_network(given.output, network);
  std::string text = fmt::format("wrote {} ({})\n", printable(given.output), shape_text(network));
  for (const std::string& fact : network.record) text += fmt::format("  {}\n", printable(fact));
  print(text);
  return exit_success;
}

void add_network_options(CLI::App& format, ImportNetworkOptions& options, NetworkSource source) {
  format
      .add_option("FILE", options.file,
                  source == NetworkSource::onnx    ? "ONNX model (.onnx)"
                  : source == NetworkSource::torch ? "State dict of torch.save (.pt, .pth)"
                                                   : "Arrays of NumPy (.npz), or a folder of .npy files")
      ->required();
  format.add_option("-o,--output", options.output, "Network to write")->required()->type_name("NET.bnn");
  format.add_option("--range", options.range, "The inputs are numbers from LOW to HIGH, as you give them")
      ->check(exact_pair(':'))
      ->type_name("LOW:HIGH");
  format.add_option("--step", options.step, "How far apart these numbers are: 1 for pixels")
      ->check(exact_number())
      ->type_name("S");
  format
      .add_option("--scale", options.scale,
                  "Inputs are multiplied by F before the network's own first step: 1/255 for\npixels that it "
                  "wants from 0 to 1")
      ->check(exact_number())
      ->type_name("F");
  format
      .add_option("--bits", options.bits,
                  "The inputs are bits, and the network reads these two numbers for them")
      ->check(exact_pair(','))
      ->type_name("LOW,HIGH");
  format.add_option("--tie", options.tie, "What sign gives at 0; needed where some input may reach it")
      ->check(one_of({"0", "1"}))
      ->type_name("BIT");
  format
      .add_option("--class-tie", options.class_tie,
                  "Which of several classes with the best score is given (default: lowest)")
      ->check(one_of({"lowest", "highest"}))
      ->type_name("WHICH");
  format.add_option("--classes", options.classes, "Names of the classes, or of the output bits")
      ->delimiter(',')
      ->type_name("NAME,...");
  if (source == NetworkSource::onnx) return;
  format
      .add_option("--epsilon", options.epsilon,
                  "Epsilon of the batch normalisations; PyTorch's own default is 1e-5")
      ->check(exact_number())
      ->type_name("E");
  format.add_flag("--latent", options.latent, "The weights are real numbers of which the sign counts");
  if (source == NetworkSource::torch)
    format
        .add_option("--order", options.order,
                    "The modules in the order in which they are used: fc1,bn1,fc2 (default: the file's, if "
                    "only that fits)")
        ->delimiter(',')
        ->type_name("MODULE,...");
  format.add_option("--outputs", options.outputs, "What the last layer gives: scores (default) or bits")
      ->check(one_of({"scores", "bits"}))
      ->type_name("WHAT");
}

}  // namespace

void add_import_network_commands(CLI::App& import, int& exit_code) {
  const auto add = [&](const char* name, const char* help, const char* example, NetworkSource source) {
    CLI::App* format = import.add_subcommand(name, help);
    auto options = std::make_shared<ImportNetworkOptions>();
    add_network_options(*format, *options, source);
    format->footer(fmt::format("Example: bnnplan import {}", example));
    format->callback([options, source, &exit_code] { exit_code = run_import_network(source, *options); });
  };
  add("onnx", "Read a binarized network from an ONNX file (also QONNX, Brevitas, FINN, Larq)",
      "onnx model.onnx --range 0:255 --step 1 -o model.bnn", NetworkSource::onnx);
  add("npz", "Read a binarized network from arrays of NumPy",
      "npz mnist.npz --epsilon 2e-5 --range 0:255 --step 1 --scale 1/255 -o mnist.bnn", NetworkSource::npz);
  add("torch", "Read a binarized network from a state dict of PyTorch, without executing it",
      "torch model.pt --latent --epsilon 1e-5 -o model.bnn", NetworkSource::torch);
}

}  // namespace bnnplan
