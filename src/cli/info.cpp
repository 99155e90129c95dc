// bnnplan info: says what a file holds: a problem, network, plan, data set, RDDL file or formula.
#include <memory>

#include <bnnplan/report.hpp>

#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"

namespace bnnplan::cli {

void add_info_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("info", "Describe a file: a problem, network, plan, data set, domain or formula");
  struct InfoCommand {
    std::string file;
    ReadOptions read;
    bool json = false;
  };
  auto options = std::make_shared<InfoCommand>();
  command
      ->add_option(
          "FILE", options->file,
          "Problem (.toml), network (.bnn), plan (.json), data set (.csv), domain or instance (.rddl),\n"
          "WCNF or CNF; - for standard input")
      ->required();
  add_outside_option(*command, options->read.allow_outside);
  add_json_option(*command, options->json);
  command->footer("Example: bnnplan info models/corridor.toml");
  command->callback([options, &exit_code] {
    print(info(read_input(options->file), options->read), options->json);
    exit_code = exit_success;
  });
}

}  // namespace bnnplan::cli
