// bnnplan report: a problem and plans for it as one page for a browser.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "api/world_course.hpp"
#include "base/count_text.hpp"
#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "check/problem_proof.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/file_kind.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "problem/problem_file.hpp"
#include "problem/worth.hpp"
#include "report/report_page.hpp"

namespace bnnplan {

namespace {

struct ReportOptions {
  std::string problem, output, domain, instance;
  bool outside = false;
  std::vector<std::string> plans, proofs;
};

// "2 plans", "1 plan, 1 result without a plan"
std::string counts_text(const std::vector<ReportPlan>& plans) {
  const auto with_plan =
      std::count_if(plans.begin(), plans.end(), [](const ReportPlan& plan) { return plan.plan.has_value(); });
  const auto without = static_cast<std::ptrdiff_t>(plans.size()) - with_plan;
  std::string text = with_plan > 0 ? count_text(with_plan, "plan") : "";
  if (without > 0)
    text +=
        (text.empty() ? "" : ", ") + count_text(without, "result without a plan", "results without a plan");
  return text;
}

// What each plan does in the true domain; the exit code that follows. One that the domain refuses is said,
// and shown.
int replay_in_domain(Simulator simulator, Problem problem, std::vector<ReportPlan>& plans) {
  int exit_code = exit_success;
  for (ReportPlan& shown : plans) {
    if (!shown.plan) continue;
    set_horizon(problem, shown.horizon);
    shown.world = world_course(simulator, problem, *shown.plan);
    if (!shown.world->violation.empty()) {
      print_message(fmt::format("{}: refused by the domain: {}\n", printable(shown.file),
                                printable(shown.world->violation, 1000)));
      exit_code = exit_refused;
    } else if (exit_code == exit_success && !promise_text(problem, shown.cost, shown.world->reward).empty()) {
      exit_code = exit_other_reward;
    }
  }
  return exit_code;
}

int run_report(const ReportOptions& options) {
  const Problem problem = read_problem_argument(options.problem, options.outside);
  std::vector<ReportPlan> plans;
  int exit_code = exit_success;
  try {
    for (const std::string& plan : options.plans) {
      const InputText input = read_input(plan);
      plans.push_back(
          read_as(FileKind::plan, input, [&] { return parse_report_plan(input.text, input.name, problem); }));
    }
    for (const std::string& proof : options.proofs) {
      const InputText input = read_input(proof, largest_proof());
      if (const auto kind = kind_of(input.text, input.name); kind && *kind != FileKind::proof)
        throw *wrong_kind(FileKind::proof, input.name, input.text);
      add_report_proof(input.text, input.name, problem, plans);
    }
    if (!options.domain.empty())
      exit_code = replay_in_domain(read_domain(options.domain, options.instance), problem, plans);
  } catch (const RefusedReport& refused) {
    print_message(fmt::format("{}\n", printable(refused.what(), 2000)));
    return exit_refused;
  }
  write_text_file(options.output, report_page(problem, shown_name(options.problem), plans));
  if (options.output != "-") {
    print(fmt::format("wrote {} ({})\n", printable(options.output), counts_text(plans)));
  }
  return exit_code;
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("report", "Show a problem and plans for it as a page for a browser");
  auto options = std::make_shared<ReportOptions>();
  command->add_option("PROBLEM", options->problem, "Problem file (.toml), - for standard input")->required();
  add_outside_option(*command, options->outside);
  command
      ->add_option("PLAN", options->plans,
                   "What `plan -o` wrote; several are compared (.json); - for standard input")
      ->required();
  command
      ->add_option(
          "--proof", options->proofs,
          "A proof of optimality that `plan --proof` wrote; it is checked first, and what it proves is "
          "called proved (may be given several times, for plans of different lengths)")
      ->allow_extra_args(false)
      ->type_name("FILE");
  CLI::Option* domain =
      command
          ->add_option("--domain", options->domain,
                       "Also replay the plans in this true domain, and show both courses and where they part")
          ->type_name("DOMAIN.rddl");
  CLI::Option* instance = command->add_option("--instance", options->instance, "The instance of the domain")
                              ->type_name("INSTANCE.rddl");
  domain->needs(instance);
  instance->needs(domain);
  command->add_option("-o,--output", options->output, "Page to write, - for standard output")
      ->required()
      ->type_name("PAGE.html");
  command->footer(
      "The page needs no network and no other file. Plans are replayed first, and proofs checked; if one is\n"
      "refused that is said and no page is written (exit code 20). What a file says of its plan beyond that\n"
      "is shown as what the file claims. With a domain, exit code 21 says that the model promises another\n"
      "reward for a plan than the domain gives, 20 that the domain refuses one; the page is written, and\n"
      "shows promise and world side by side.\n"
      "Example: bnnplan report models/corridor.toml corridor.plan.json -o corridor.html");
  command->callback([options, &exit_code] { exit_code = run_report(*options); });
}

}  // namespace bnnplan
