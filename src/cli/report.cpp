// bnnplan report: a problem and plans for it as one page for a browser.
#include <algorithm>

#include <bnnplan/report.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"

namespace bnnplan::cli {

namespace {

struct ReportCommand {
  std::string problem, output;
  std::vector<std::string> plans;
  ReadOptions read;
  ReportOptions report;
};

// "2 plans", "1 plan, 1 result without a plan"
std::string counts_text(const std::vector<reporting::ReportPlan>& plans) {
  const auto with_plan = std::count_if(
      plans.begin(), plans.end(), [](const reporting::ReportPlan& plan) { return plan.plan.has_value(); });
  const auto without = static_cast<std::ptrdiff_t>(plans.size()) - with_plan;
  std::string text = with_plan > 0 ? count_text(with_plan, "plan") : "";
  if (without > 0)
    text +=
        (text.empty() ? "" : ", ") + count_text(without, "result without a plan", "results without a plan");
  return text;
}

int run_report(const ReportCommand& command) {
  const Problem problem = read_problem_argument(command.problem, command.read);
  std::vector<InputText> plans;
  for (const std::string& plan : command.plans) plans.push_back(read_input(plan));
  const DomainFiles& world = command.report.world;
  Report made;
  try {
    made = read_files_as(FileKind::rddl, {world.domain, world.instance},
                         [&] { return report(problem, shown_name(command.problem), plans, command.report); });
  } catch (const reporting::RefusedReport& refused) {
    print_message(fmt::format("{}\n", printable(refused.what(), 2000)));
    return exit_refused;
  }
  for (const std::string& refusal : made.refusals) print_message(refusal + "\n");
  write_text_file(command.output, made.page);
  if (command.output != "-")
    print(fmt::format("wrote {} ({})\n", printable(command.output), counts_text(made.plans)));
  return !made.refusals.empty() ? exit_refused : made.other_reward ? exit_other_reward : exit_success;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  auto [command, options] = add_command(
      app, exit_code, "report", "Show a problem and plans for it as a page for a browser", run_report);
  add_argument(command, "PROBLEM", options.problem, "Problem file (.toml), - for standard input");
  add_outside_option(command, options.read.allow_outside);
  add_argument(command, "PLAN", options.plans,
               "What `plan -o` wrote; several are compared (.json); - for standard input");
  add_options(command, options_of(options.report));
  add_output_option(command, options.output, "Page to write, - for standard output", "PAGE.html");
  command.footer(
      "The page needs no network and no other file. Plans are replayed first, and proofs checked; if one is\n"
      "refused that is said and no page is written (exit code 20). What a file says of its plan beyond that\n"
      "is shown as what the file claims. With a domain, exit code 21 says that the model promises another\n"
      "reward for a plan than the domain gives, 20 that the domain refuses one; the page is written, and\n"
      "shows promise and world side by side.\n"
      "Example: bnnplan report models/corridor.toml corridor.plan.json -o corridor.html");
}

}  // namespace bnnplan::cli
