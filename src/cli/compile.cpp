// bnnplan compile: an RDDL domain as a problem file.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "cli/commands.hpp"
#include "cli/file_kind.hpp"
#include "network/network_file.hpp"
#include "problem/problem_file.hpp"
#include "rddl/compile_problem.hpp"
#include "rddl/prime_cover.hpp"

namespace bnnplan {

namespace {

struct CompileArguments {
  std::string domain, instance, network, output;
  std::vector<std::string> learned, bits;
  std::optional<std::int64_t> horizon;
  int table_bits = CompileOptions().table_bits;
};

// The network as the problem file will find it: relative to that file.
std::string network_reference(const std::filesystem::path& network, const std::filesystem::path& output) {
  if (network.is_absolute() || output == "-") return network.string();
  const std::filesystem::path folder = output.parent_path();
  return std::filesystem::proximate(network, folder.empty() ? "." : folder).string();
}

int run_compile(const CompileArguments& arguments) {
  CompileOptions options;
  options.bits = parse_given_bits(arguments.bits);
  options.learned = arguments.learned;
  options.table_bits = arguments.table_bits;
  if (!arguments.network.empty()) {
    options.network = read_files_as(FileKind::network, {arguments.network},
                                    [&] { return read_network(arguments.network); });
    options.network_file = network_reference(arguments.network, arguments.output);
  } else if (!options.learned.empty()) {
    throw InputError("--learned needs --network: what is learned is what a network gives");
  }
  const GroundModel model = read_files_as(FileKind::rddl, {arguments.domain, arguments.instance}, [&] {
    return read_ground_model(arguments.domain, arguments.instance);
  });
  Problem problem = compile_problem(model, options);
  if (arguments.horizon) set_horizon(problem, *arguments.horizon);
  write_text_file(arguments.output, problem_text(problem));
  if (problem.network &&
      !is_inside(std::filesystem::path(arguments.output).parent_path(), arguments.network)) {
    print_message(
        "bnnplan: the network is outside the folder of the problem file: reading it takes --allow-outside\n");
  }
  if (arguments.output == "-") return exit_success;
  print(fmt::format(
      "wrote {} ({} state bits, {} action bits, {} auxiliary bits, {} constraints, {} known transitions)\n",
      printable(arguments.output), problem.state.bit_count(), problem.action.bit_count(),
      problem.auxiliary.bit_count(), problem.constraints.size(), problem.transitions.size()));
  return exit_success;
}

}  // namespace

void add_compile_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("compile", "Compile an RDDL domain into a problem file");
  auto arguments = std::make_shared<CompileArguments>();
  command->add_option("DOMAIN", arguments->domain, "Domain file (.rddl)")->required();
  command->add_option("INSTANCE", arguments->instance, "Instance file (.rddl)")->required();
  command->add_option("-o,--output", arguments->output, "Problem file to write, - for standard output")
      ->required()
      ->type_name("PROBLEM.toml");
  command
      ->add_option("--network", arguments->network,
                   "Network that gives the fluents it has as outputs; all others become known transitions")
      ->type_name("NET.bnn");
  command->add_option("--learned", arguments->learned, "The fluents the network must give, to be checked")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FLUENT,...");
  command->add_option("--bits", arguments->bits, "Bits of an integer fluent, where no constraint bounds it")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME=N,...");
  command->add_option("-H,--horizon", arguments->horizon, "Horizon to write instead of that of the instance")
      ->check(whole_number(1, horizon_limit))
      ->type_name("N");
  command
      ->add_option(
          "--table-bits", arguments->table_bits,
          fmt::format("Most bits that a tabulated expression may depend on ({})", arguments->table_bits))
      ->check(whole_number(1, prime_cover_inputs))
      ->type_name("N");
  command->footer(
      "Example: bnnplan compile domains/navigation.rddl domains/navigation_3x3.rddl -o navigation_3x3.toml");
  command->callback([arguments, &exit_code] { exit_code = run_compile(*arguments); });
}

}  // namespace bnnplan
