// bnnplan check: replays a plan, in the problem and, if asked, in the true domain.
#include <optional>

#include <bnnplan/check.hpp>
#include <bnnplan/evidence.hpp>

#include "bnnplan/cli/commands.hpp"
#include "bnnplan/cli/exit_codes.hpp"
#include "bnnplan/cli/file_kind.hpp"
#include "bnnplan/cli/interrupt.hpp"
#include "bnnplan/cli/options.hpp"
#include "bnnplan/cli/output.hpp"
#include "bnnplan/report/words.hpp"

namespace bnnplan::cli {

namespace {

struct CheckCommand {
  ProblemOptions problem;
  std::string plan_file;
  CheckOptions check;
  bool json = false;
};

int run_check(const CheckCommand& options) {
  const Problem problem = options.problem.read();
  const InputText input = read_input(options.plan_file);
  const auto [plan, claim] = read_as(FileKind::plan, input, [&] {
    const JsonValue file = parse_json(input.text, input.name);
    return std::pair(plan_of_json(file, input.name, problem),
                     reporting::claim_text(text_of(file, "status"), text_of(file, "among"),
                                           text_of(file, "claimed_by"), text_of(file, "resumed_from")));
  });
  if (problem.horizon == 0 && plan.steps.empty())
    throw InputError(input.name, "the plan has no steps, and the problem states no horizon");
  const DomainFiles& world = options.check.world;
  const auto about_domain = [&](auto act) {
    return read_files_as(FileKind::rddl, {world.domain, world.instance}, act);
  };
  const CheckResult result =
      about_domain([&, &plan = plan] { return check(problem, plan, nullptr, options.check); });
  std::optional<DomainOptimum> best;
  if (options.check.optimum) {
    Limits limits = whole_machine();
    limits.seconds = options.check.seconds;
    limits.interrupt = catch_signals();
    const int horizon = problem.horizon > 0 ? problem.horizon : static_cast<int>(plan.steps.size());
    best = about_domain([&] { return domain_optimum(world.domain, world.instance, horizon, {}, limits); });
  }
  Answer answer = answer_of(problem, plan, claim, result, output_style("auto"));
  if (best) answer.append(answer_of(*best, result));
  print(answer, options.json);
  return !result.accepted ? exit_refused : result.promise.empty() ? exit_success : exit_other_reward;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  auto [command, options] = add_command(
      app, exit_code, "check",
      "Replay a plan: check every constraint and the goal, recompute the cost or reward", run_check);
  options.problem.add_to(command);
  add_argument(command, "PLAN", options.plan_file, "Plan file (.json), - for standard input");
  add_options(command, options_of(options.check));
  add_json_option(command, options.json);
  command.footer(
      "Prints the steps and the cost or reward (exit code 0), or the first violation (exit code 20).\n"
      "With a domain, exit code 21 says that the plan is valid in both, but that the model promises another\n"
      "reward than the domain gives. A random domain refuses a plan that goes wrong in every episode.\n"
      "Example: bnnplan check models/corridor.toml models/corridor.plan.json");
}

}  // namespace bnnplan::cli
