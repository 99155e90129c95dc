// bnnplan report: a problem and plans for it as one page for a browser.
#include <memory>

#include <fmt/format.h>

#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "cli/commands.hpp"
#include "problem/problem_file.hpp"
#include "report/report_page.hpp"

namespace bnnplan {

namespace {

struct ReportOptions {
  std::string problem, output;
  bool outside = false;
  std::vector<std::string> plans;
};

int run_report(const ReportOptions& options) {
  const Problem problem = read_problem(options.problem, references_of(options.outside));
  std::vector<ReportPlan> plans;
  try {
    for (const std::string& plan : options.plans) plans.push_back(read_report_plan(plan, problem));
  } catch (const RefusedReportPlan& refused) {
    print_message(fmt::format("{}\n", printable(refused.what(), 2000)));
    return exit_refused;
  }
  write_text_file(options.output, report_page(problem, options.problem, plans));
  if (options.output != "-") {
    print(fmt::format("wrote {} ({} {})\n", printable(options.output), plans.size(),
                      plans.size() == 1 ? "plan" : "plans"));
  }
  return exit_success;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("report", "Show a problem and plans for it as a page for a browser");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("PROBLEM", options->problem, "Problem file (.toml)")->required();
  add_outside_option(*command, options->outside);
  command->add_option("PLAN", options->plans, "What `plan -o` wrote; several are compared (.json)")
      ->required();
  command->add_option("-o,--output", options->output, "Page to write, - for standard output")
      ->required()
      ->type_name("PAGE.html");
  command->footer(
      "The page needs no network and no other file. Plans are replayed first; one that is refused is said\n"
      "and no page is written (exit code 20).\n"
      "Example: bnnplan report models/corridor.toml corridor.plan.json -o corridor.html");
  command->callback([options, &exit_code] { exit_code = run_report(*options); });
}

}  // namespace bnnplan
