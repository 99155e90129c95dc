// bnnplan check: replays a plan, in the problem and, if asked, in the true domain.
#include <memory>

#include <fmt/format.h>

#include "base/input_error.hpp"
#include "check/plan_check.hpp"
#include "cli/commands.hpp"
#include "cli/file_kind.hpp"
#include "problem/plan_file.hpp"
#include "rddl/replay.hpp"
#include "report/plan_table.hpp"

namespace bnnplan {

namespace {

struct CheckOptions {
  ProblemOptions problem;
  std::string plan_file;
  std::string domain, instance;
};

int run_check(const CheckOptions& options) {
  Problem problem = options.problem.read();
  const InputText input = read_input(options.plan_file);
  const Plan plan =
      read_as(FileKind::plan, input, [&] { return parse_plan(input.text, input.name, problem); });
  if (problem.horizon == 0) {  // a problem without a horizon: the plan decides
    if (plan.steps.empty())
      throw InputError(input.name, "the plan has no steps, and the problem states no horizon");
    set_horizon(problem, static_cast<std::int64_t>(plan.steps.size()));
  }
  const PlanCheck result = check_plan(problem, plan);
  std::string text = result.accepted
                         ? fmt::format("{}\nvalid plan, {} steps, cost {}\n",
                                       plan_table(problem, result.plan, 200, output_style("auto")),
                                       problem.horizon, to_string(cost_in_units(problem, result.cost)))
                         : fmt::format("refused: {}\n", result.violation);
  bool accepted = result.accepted;
  if (!options.domain.empty()) {
    const Simulator simulator = read_domain(options.domain, options.instance);
    const Replay replayed = replay(simulator, problem, result.accepted ? result.plan : plan);
    accepted &= replayed.violation.empty();
    text += replay_text(replayed);
  }
  print(text);
  return accepted ? exit_success : exit_refused;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("check", "Replay a plan: check every constraint and the goal, recompute the cost");
  auto options = std::make_shared<CheckOptions>();
  options->problem.add_to(*command);
  command->add_option("PLAN", options->plan_file, "Plan file (.json), - for standard input")->required();
  CLI::Option* domain =
      command->add_option("--domain", options->domain, "Also replay the plan in this true domain")
          ->type_name("DOMAIN.rddl");
  CLI::Option* instance = command->add_option("--instance", options->instance, "The instance of the domain")
                              ->type_name("INSTANCE.rddl");
  domain->needs(instance);
  instance->needs(domain);
  command->footer(
      "Prints the steps and the cost (exit code 0), or the first violation (exit code 20).\n"
      "Example: bnnplan check models/corridor.toml models/corridor.plan.json");
  command->callback([options, &exit_code] { exit_code = run_check(*options); });
}

}  // namespace bnnplan
