// bnnplan export: a network for other tools.
#include <memory>
#include <string>

#include <bnnplan/exchange.hpp>
#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/network/network_file.hpp"

namespace bnnplan::cli {

namespace {

struct ExportCommand {
  std::string network, output;
  ExportOptions options;
};

int run_export(const ExportCommand& command) {
  const InputText input = read_input(command.network);
  const Network network =
      read_as(FileKind::network, input, [&] { return parse_network(input.text, input.name); });
  export_network(command.output, network, command.options.target);
  if (command.output != "-")
    print(fmt::format("wrote {} ({})\n", printable(command.output), shape_text(network)));
  return exit_success;
}

}  // namespace

void add_export_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("export", "Write a network for other tools: ONNX, QONNX, NumPy, C");
  auto options = std::make_shared<ExportCommand>();
  command->add_option("NETWORK", options->network, "Network (.bnn), - for standard input")->required();
  add_options(*command, options_of(options->options));
  command->get_option("--to")->required();
  command->add_option("-o,--output", options->output, "File to write, - for standard output")
      ->required()
      ->type_name("FILE");
  command->footer(
      "The file computes the same bits and classes as the network, exactly. docs/exchange.md says what is in "
      "it.\n"
      "Example: bnnplan export net.bnn --to onnx -o net.onnx");
  command->callback([options, &exit_code] { exit_code = run_export(*options); });
}

}  // namespace bnnplan::cli
