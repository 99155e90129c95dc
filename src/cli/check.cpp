// bnnplan check: replays a plan, in the problem and, if asked, in the true domain.
#include <memory>
#include <optional>

#include <bnnplan/check.hpp>
#include <bnnplan/evidence.hpp>
#include <fmt/format.h>

#include "base/count_text.hpp"
#include "cli/commands.hpp"
#include "cli/exit_codes.hpp"
#include "cli/file_kind.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "engines/result_file.hpp"
#include "report/plan_table.hpp"
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

std::string or_null(const std::string& text) { return text.empty() ? "null" : quoted_json(text); }

// What --json prints, described in docs/formats.md.
std::string check_json(const Problem& problem, std::size_t steps, const std::string& claim,
                       const CheckResult& result, const std::string& gap) {
  const PlanCheck& check = result.model;
  const std::optional<Replay>& replayed = result.world;
  std::string text = fmt::format(
      "{{\"problem\": {},\n \"horizon\": {},\n \"valid\": {},\n \"violation\": {},\n \"cost\": {},\n "
      "\"claim\": {}",
      quoted_json(problem.name), problem.horizon > 0 ? static_cast<std::size_t>(problem.horizon) : steps,
      check.accepted, or_null(check.violation),
      check.accepted ? to_string(cost_in_units(problem, check.cost)) : "null", or_null(claim));
  if (const std::string record = problem.network ? record_claim(*problem.network) : ""; !record.empty())
    text += fmt::format(",\n \"network_record\": {}", quoted_json(record));
  if (replayed) {
    text += fmt::format(
        ",\n \"valid_in_domain\": {},\n \"domain_violation\": {},\n \"parts_at_step\": {},\n "
        "\"difference\": {}",
        replayed->violation.empty(), or_null(replayed->violation),
        replayed->diverges > 0 ? std::to_string(replayed->diverges) : "null", or_null(replayed->difference));
    if (check.accepted && replayed->violation.empty())
      text += ",\n " + rewards_json(problem, check.cost, to_string(replayed->reward));
    text += ",\n \"differences\": [";
    for (std::size_t i = 0; i < result.differences.size(); ++i) {
      const CourseDifference& difference = result.differences[i];
      text += fmt::format("{}{{\"step\": {}, \"variable\": {}, \"model\": {}, \"domain\": {}}}",
                          i == 0 ? "" : ", ", difference.step, quoted_json(difference.variable),
                          difference.model, difference.domain);
    }
    text += "]";
  }
  if (const auto& episodes = result.episodes) {
    text += fmt::format(
        ",\n \"episodes\": {},\n \"mean_reward\": {:.12g},\n \"half_interval\": {:.6g},\n "
        "\"refused_episodes\": {},\n \"domain_violation\": {},\n \"goals\": {}",
        episodes->episodes, episodes->mean, half_interval(episodes->deviation, episodes->episodes),
        episodes->refused, or_null(episodes->first_violation),
        episodes->has_goal ? std::to_string(episodes->goals) : "null");
  }
  if (!gap.empty()) text += ",\n " + gap;
  return text + "}\n";
}

std::string episode_share(std::uint64_t part, std::uint64_t all) {
  return fmt::format("{} of {} ({:.3g} %)", part, count_text(all, "episode"),
                     100 * static_cast<double>(part) / static_cast<double>(all));
}

std::string episodes_text(const PlanEpisodes& result) {
  std::string text =
      result.episodes == 1
          ? fmt::format("in the domain: reward {:.6g}\n", result.mean)
          : fmt::format("in the domain, which is random: mean reward {:.6g} +- {:.3g} over {}\n", result.mean,
                        half_interval(result.deviation, result.episodes),
                        count_text(result.episodes, "episode"));
  if (!result.differs.empty()) {
    text += fmt::format("reals of plan and domain differ by at most {:.3g} ({})\n", result.difference,
                        printable(result.differs));
  }
  if (result.refused > 0) {
    text +=
        fmt::format("refused by the domain in {}, first in {}\n",
                    episode_share(result.refused, result.episodes), printable(result.first_violation, 1000));
  }
  if (result.has_goal)
    text += fmt::format("the goal is reached in {}\n", episode_share(result.goals, result.episodes));
  return text;
}

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
    RunControl control;
    control.seconds = options.seconds;
    control.interrupt = catch_signals();
    const int horizon = problem.horizon > 0 ? problem.horizon : static_cast<int>(plan.steps.size());
    best = read_files_as(FileKind::rddl, {options.domain, options.instance}, [&] {
      return domain_optimum(options.domain, options.instance, horizon, {}, control);
    });
  }
  std::string text;
  if (result.model.accepted) {
    text = plan_table(problem, result.model.plan, 200, output_style("auto")) + "\n";
    if (!claim.empty())
      text += fmt::format("the file claims: {} (which is not checked here)\n", printable(claim));
    text += fmt::format("valid plan, {}, {}\n", count_text(plan.steps.size(), "step"),
                        worth_text(problem, result.model.cost));
  } else {
    text = fmt::format("refused: {}\n", result.model.violation);
  }
  const std::string record = problem.network ? record_claim(*problem.network) : "";
  if (!record.empty()) text += fmt::format("the network is learned; {}\n", record);
  if (result.world) text += replay_text(*result.world);
  if (result.episodes) text += episodes_text(*result.episodes);
  if (!result.promise.empty()) text += result.promise + "\n";
  text += courses_text(result);
  if (best) text += gap_text(*best, result);
  print(options.json
            ? check_json(problem, plan.steps.size(), claim, result, best ? gap_json(*best, result) : "")
            : text);
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
      ->add_option(
          "--episodes", options->episodes.episodes,
          "In a random domain: so many times (100), for the mean reward and the share that reaches the goal")
      ->check(whole_number(1, 1'000'000'000))
      ->needs(domain)
      ->type_name("N");
  command->add_option("--seed", options->episodes.seed, "Seed of what the domain draws (0)")
      ->check(whole_number(0, largest_seed))
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
