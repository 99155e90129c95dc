// bnnplan encode: a problem as a file for any solver.
#include <bnnplan/encode.hpp>
#include <fmt/format.h>

#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/report/encoding_table.hpp"

namespace bnnplan::cli {

namespace {

struct EncodeCommand {
  ProblemOptions problem;
  EncodeOptions encode;
  std::string output;
  bool statistics = false, no_simplify = false;
};

int run_encode(const EncodeCommand& command) {
  if (command.output.empty() && !command.statistics) throw CLI::RequiredError("--output or --stats");
  EncodeOptions options = command.encode;
  if (command.no_simplify) options.simplify = false;
  ZeroOneModel model = model_of(command.problem.read_with_horizon(), options);
  if (command.statistics) {
    // Results own standard output when the file goes there.
    const std::string table = reporting::encoding_table(
        model, encoding::LoweringOptions(*encoding::neuron_encoding_named(options.neurons)));
    if (command.output == "-") {
      print_message(table);
    } else {
      print(table);
    }
  }
  if (!command.output.empty()) write_model(std::move(model), options, command.output);
  return exit_success;
}

std::string encodings_help() {
  std::string text = "How neurons become clauses (for wcnf, wcnf-classic, cnf):\n";
  for (const encoding::NeuronEncodingInfo& info : encoding::neuron_encodings()) {
    text += fmt::format("  {:<12}{}{}\n", info.name, info.help,
                        info.propagation_complete ? "" : " (propagates less)");
  }
  return text;
}

}  // namespace

void add_encode_command(CLI::App& app, int& exit_code) {
  auto [command, options] = add_command(
      app, exit_code, "encode",
      "Write a problem as a file for MaxSAT, SAT, pseudo-Boolean, integer or constraint solvers", run_encode);
  options.problem.add_to(command);
  add_options(command, options_of(options.encode));
  command.get_option("--to")->required();
  add_file_option(command, "-o,--output", options.output,
                  "File to write, - for standard output; compressed if it ends in .gz", "FILE");
  command.add_flag("--stats", options.statistics, "Print the sizes by part, before and after simplification");
  command.add_flag("--no-simplify", options.no_simplify, "Write the model as unrolled")
      ->excludes("--simplify");
  command.footer(encodings_help() +
                 "`bnnplan decode` turns the solver's answer back into a plan.\n"
                 "Example: bnnplan encode models/corridor.toml --to wcnf -o corridor.wcnf");
}

}  // namespace bnnplan::cli
