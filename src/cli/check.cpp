// bnnplan check: replays a plan, in the problem and, if asked, in the true domain.
#include <memory>
#include <optional>

#include <bnnplan/check.hpp>
#include <bnnplan/evidence.hpp>

#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/file_kind.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "report/words.hpp"

namespace bnnplan {

namespace {

struct CheckOptions {
  ProblemOptions problem;
  std::string plan_file;
  std::string domain, instance;
  EpisodeOptions episodes;
  bool json = false;
  bool optimum = false;
  std::optional<double> seconds;
};

int run_check(const CheckOptions& options) {
  const Problem problem = options.problem.read();
  const InputText input = read_input(options.plan_file);
  const auto [plan, claim] = read_as(FileKind::plan, input, [&] {
    const JsonValue file = parse_json(input.text, input.name);
    return std::pair(plan_of_json(file, input.name, problem),
                     claim_text(text_of(file, "status"), text_of(file, "among"), text_of(file, "claimed_by"),
                                text_of(file, "resumed_from")));
  });
  if (problem.horizon == 0 && plan.steps.empty())
    throw InputError(input.name, "the plan has no steps, and the problem states no horizon");
  std::optional<Simulator> domain;
  if (!options.domain.empty()) domain.emplace(read_domain(options.domain, options.instance));
  const CheckResult result = check(problem, plan, domain ? &*domain : nullptr, options.episodes);
  std::optional<DomainOptimum> best;
  if (options.optimum) {
    Limits limits = whole_machine();
    limits.seconds = options.seconds;
    limits.interrupt = catch_signals();
    const int horizon = problem.horizon > 0 ? problem.horizon : static_cast<int>(plan.steps.size());
    best = read_files_as(FileKind::rddl, {options.domain, options.instance}, [&] {
      return domain_optimum(options.domain, options.instance, horizon, {}, limits);
    });
  }
  Answer answer = answer_of(problem, plan, claim, result, output_style("auto"));
  if (best) answer.append(answer_of(*best, result));
  print(options.json ? answer.json() : answer.text);
  return !result.accepted ? exit_refused : result.promise.empty() ? exit_success : exit_other_reward;
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "check", "Replay a plan: check every constraint and the goal, recompute the cost or reward");
  auto options = std::make_shared<CheckOptions>();
  options->problem.add_to(*command);
  command->add_option("PLAN", options->plan_file, "Plan file (.json), - for standard input")->required();
  CLI::Option* domain =
      command->add_option("--domain", options->domain, "Also replay the plan in this true domain")
          ->type_name("DOMAIN.rddl");
  CLI::Option* instance = command->add_option("--instance", options->instance, "The instance of the domain")
                              ->type_name("INSTANCE.rddl");
  command
      ->add_option("--episodes", options->episodes.episodes,
                   "In a random domain: how many times to replay (100), for the mean reward and the share "
                   "that reaches the goal")
      ->check(whole_number(1, 1'000'000'000))
      ->needs(domain)
      ->type_name("N");
  command->add_option("--seed", options->episodes.seed, "Seed of what the domain draws (0)")
      ->check(whole_number(seed_range.least, seed_range.most))
      ->needs(domain)
      ->type_name("N");
  CLI::Option* optimum = command->add_flag("--optimum", options->optimum,
                                           "With --domain: also plan in the domain itself, compiled, and say "
                                           "how far the plan is from its optimum");
  command->add_option("--time-limit", options->seconds, "With --optimum: seconds of wall time for that")
      ->needs(optimum)
      ->check(positive_number())
      ->type_name("S");
  optimum->needs(domain);
  command->add_flag("--json", options->json, "Print one JSON object");
  domain->needs(instance);
  instance->needs(domain);
  command->footer(
      "Prints the steps and the cost or reward (exit code 0), or the first violation (exit code 20).\n"
      "With a domain, exit code 21 says that the plan is valid in both, but that the model promises another\n"
      "reward than the domain gives. A random domain refuses a plan that goes wrong in every episode.\n"
      "Example: bnnplan check models/corridor.toml models/corridor.plan.json");
  command->callback([options, &exit_code] { exit_code = run_check(*options); });
}

}  // namespace bnnplan
