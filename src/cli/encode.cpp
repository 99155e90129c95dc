// bnnplan encode: a problem as a file for any solver.
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "base/decimal.hpp"
#include "base/input_error.hpp"
#include "base/output_file.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "formats/model_format.hpp"
#include "model/simplify.hpp"
#include "model/unroll.hpp"
#include "report/encoding_table.hpp"

namespace bnnplan {

namespace {

struct EncodeOptions {
  ProblemOptions problem;
  std::string format, neurons = "auto", output;
  std::optional<std::string> cost_at_most;
  bool statistics = false, simplify = false, no_simplify = false;
};

void bound_cost(ZeroOneModel& model, const std::string& text) {
  try {
    const auto bound = parse_decimal(text);
    if (!bound)
      throw InputError(fmt::format("bad cost '{}' for --cost-at-most, expected a number", printable(text)));
    // Costs are multiples of 10^-decimals: more digits in the bound are rounded down.
    Decimal rounded = *bound;
    while (rounded.exponent < -model.decimals) {
      const std::int64_t digits = rounded.digits / 10 - (rounded.digits % 10 < 0 ? 1 : 0);
      rounded = digits == 0 ? Decimal{} : Decimal{digits, rounded.exponent + 1};
    }
    add_cost_bound(model, scaled(rounded, model.decimals));
  } catch (const OverflowError&) {
    throw InputError(fmt::format("cost '{}' for --cost-at-most is too large", printable(text)));
  }
}

int run_encode(const EncodeOptions& options) {
  const ModelFormat& format = *find_model_format(options.format);
  const LoweringOptions lowering(*neuron_encoding_named(options.neurons));
  const Problem problem = options.problem.read_with_horizon();
  require_room_for_model(problem);
  ZeroOneModel model = unroll(problem);
  if (options.cost_at_most) bound_cost(model, *options.cost_at_most);
  if (options.statistics) {
    // Results own standard output when the file goes there.
    const std::string table = encoding_table(model, lowering);
    if (options.output == "-") {
      print_message(table);
    } else {
      print(table);
    }
  }
  if (options.output.empty()) return exit_success;
  OutputFile file(options.output);
  if (options.simplify || (format.clauses && !options.no_simplify)) model = simplify(std::move(model)).model;
  format.write(model, lowering, file);
  file.commit();
  return exit_success;
}

std::string encodings_help() {
  std::string text = "How neurons become clauses (for wcnf, wcnf-classic, cnf):\n";
  for (const NeuronEncodingInfo& info : neuron_encodings()) {
    text += fmt::format("  {:<12}{}{}\n", info.name, info.help,
                        info.propagation_complete ? "" : " (propagates less)");
  }
  return text;
}

}  // namespace

void add_encode_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "encode", "Write a problem as a file for MaxSAT, SAT, pseudo-Boolean, integer or constraint solvers");
  auto options = std::make_shared<EncodeOptions>();
  options->problem.add_to(*command);
  std::vector<std::string> format_names, encoding_names;
  for (const ModelFormat& format : model_formats()) format_names.emplace_back(format.name);
  for (const NeuronEncodingInfo& info : neuron_encodings()) encoding_names.emplace_back(info.name);
  command->add_option("--to", options->format, "Format of the file")
      ->required()
      ->check(one_of(format_names))
      ->type_name("FORMAT");
  command->add_option("--neurons", options->neurons, "Encoding of the neurons, see below")
      ->check(one_of(encoding_names))
      ->type_name("ENCODING");
  command->add_option("--cost-at-most", options->cost_at_most, "Only plans of at most this cost")
      ->type_name("K");
  CLI::Option* output = command
                            ->add_option("-o,--output", options->output,
                                         "File to write, - for standard output; compressed if it ends in .gz")
                            ->type_name("FILE");
  CLI::Option* statistics = command->add_flag("--stats", options->statistics,
                                              "Print the sizes by part, before and after simplification");
  CLI::Option* simplify = command->add_flag("--simplify", options->simplify,
                                            "Simplify first (always done for wcnf, wcnf-classic and cnf)");
  command->add_flag("--no-simplify", options->no_simplify, "Write the model as unrolled")->excludes(simplify);
  command->footer(encodings_help() +
                  "`bnnplan decode` turns the solver's answer back into a plan.\n"
                  "Example: bnnplan encode models/corridor.toml --to wcnf -o corridor.wcnf");
  command->callback([options, output, statistics, &exit_code] {
    if (output->count() == 0 && statistics->count() == 0) throw CLI::RequiredError("--output or --stats");
    exit_code = run_encode(*options);
  });
}

}  // namespace bnnplan
