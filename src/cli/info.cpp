// bnnplan info: says what a file holds: a problem, network, plan, data set, RDDL file or formula.
#include <bnnplan/report.hpp>

#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"

namespace bnnplan::cli {

namespace {

struct InfoCommand {
  std::string file;
  ReadOptions read;
  bool json = false;
};

int run_info(const InfoCommand& command) {
  print(info(read_input(command.file), command.read), command.json);
  return exit_success;
}

}  // namespace

void add_info_command(CLI::App& app, int& exit_code) {
  auto [command, options] =
      add_command(app, exit_code, "info",
                  "Describe a file: a problem, network, plan, data set, domain or formula", run_info);
  add_argument(command, "FILE", options.file,
               "Problem (.toml), network (.bnn), plan (.json), data set (.csv), domain or instance (.rddl),\n"
               "WCNF or CNF; - for standard input");
  add_outside_option(command, options.read.allow_outside);
  add_json_option(command, options.json);
  command.footer("Example: bnnplan info models/corridor.toml");
}

}  // namespace bnnplan::cli
