// bnnplan export: a network for other tools.
#include <string>

#include <bnnplan/exchange.hpp>
#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/cli/question.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan::cli {

namespace {

struct ExportCommand {
  std::string network, output;
  ExportOptions options;
};

int run_export(const ExportCommand& command) {
  const Network network = read_network_argument(command.network, true);
  export_network(command.output, network, command.options.target);
  if (command.output != "-")
    print(fmt::format("wrote {} ({})\n", printable(command.output), shape_text(network)));
  return exit_success;
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  auto [command, options] = add_command(app, exit_code, "export",
                                        "Write a network for other tools: ONNX, QONNX, NumPy, C", run_export);
  add_argument(command, "NETWORK", options.network, "Network (.bnn), - for standard input");
  add_options(command, options_of(options.options));
  command.get_option("--to")->required();
  add_output_option(command, options.output, "File to write, - for standard output", "FILE");
  command.footer(
      "The file computes the same bits and classes as the network, exactly. docs/exchange.md says what is in "
      "it.\n"
      "Example: bnnplan export net.bnn --to onnx -o net.onnx");
}

}  // namespace bnnplan::cli
