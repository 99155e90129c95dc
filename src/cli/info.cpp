// bnnplan info: says what a problem, network or plan file holds.
#include <filesystem>
#include <memory>

#include "base/text_file.hpp"
#include "cli/commands.hpp"
#include "network/network_file.hpp"
#include "problem/plan_file.hpp"
#include "problem/problem_file.hpp"
#include "report/describe.hpp"

namespace bnnplan {

namespace {

std::string describe_file(const std::string& file, bool outside) {
  const std::string text = read_text_file(file);
  if (looks_like_network(text)) return describe(parse_network(text, file));
  if (looks_like_plan(text)) return describe(parse_plan_summary(text, file));
  return describe(
      parse_problem(text, file, std::filesystem::path(file).parent_path(), references_of(outside)));
}

}  // namespace

void add_info_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("info", "Describe a problem, network or plan file");
  struct InfoOptions {
    std::string file;
    bool outside = false;
  };
  auto options = std::make_shared<InfoOptions>();
  command->add_option("FILE", options->file, "Problem (.toml), network (.bnn) or plan (.json)")->required();
  add_outside_option(*command, options->outside);
  command->footer("Example: bnnplan info models/corridor.toml");
  command->callback([options, &exit_code] {
    print(describe_file(options->file, options->outside));
    exit_code = exit_success;
  });
}

}  // namespace bnnplan
