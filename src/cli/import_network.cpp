// bnnplan import onnx|npz|torch: networks of other tools into ours.
#include <string>

#include <bnnplan/exchange.hpp>
#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"

namespace bnnplan::cli {

namespace {

struct ImportNetwork {
  NetworkSource source = NetworkSource::onnx;
  std::string file, output;
  ImportOptions options;
};

int run_import_network(const ImportNetwork& command) {
  const Network network = import_network(command.source, command.file, command.options);
  write_network(command.output, network);
  std::string text = fmt::format("wrote {} ({})\n", printable(command.output), shape_text(network));
  for (const std::string& fact : network.record) text += fmt::format("  {}\n", printable(fact));
  print(text);
  return exit_success;
}

}  // namespace

void add_import_network_commands(CLI::App& import, int& exit_code) {
  const auto add = [&](const char* name, const char* help, const char* file, const char* example,
                       NetworkSource source) {
    auto [format, command] = add_command(import, exit_code, name, help, run_import_network);
    command.source = source;
    add_argument(format, "FILE", command.file, file);
    add_output_option(format, command.output, "Network to write", "NET.bnn");
    add_options(format, options_of(command.options, source));
    format.footer(fmt::format("Example: bnnplan import {}", example));
  };
  add("onnx", "Read a binarized network from an ONNX file (also QONNX, Brevitas, FINN, Larq)",
      "ONNX model (.onnx)", "onnx model.onnx --range 0:255 --step 1 -o model.bnn", NetworkSource::onnx);
  add("npz", "Read a binarized network from arrays of NumPy",
      "Arrays of NumPy (.npz), or a folder of .npy files",
      "npz mnist.npz --epsilon 2e-5 --range 0:255 --step 1 --scale 1/255 -o mnist.bnn", NetworkSource::npz);
  add("torch", "Read a binarized network from a state dict of PyTorch, without executing it",
      "State dict of torch.save (.pt, .pth)", "torch model.pt --latent --epsilon 1e-5 -o model.bnn",
      NetworkSource::torch);
}

}  // namespace bnnplan::cli
