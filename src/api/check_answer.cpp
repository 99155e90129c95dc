// What the check of a plan says: the plan, whether it is valid in the problem and in the true domain, and
// where the two differ.
#include <cmath>

#include <bnnplan/check.hpp>
#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/engines/result_file.hpp"
#include "bnnplan/network/model_record.hpp"
#include "bnnplan/problem/worth.hpp"
#include "bnnplan/report/plan_table.hpp"

namespace bnnplan {

namespace {

// Both courses side by side, one line for each step after which they differ; "" if they do not.
std::string courses_text(const CheckResult& result) {
  constexpr std::size_t most_shown = 4;  // variables of a step
  if (result.differences.empty()) return "";
  std::string text = "where they differ (model / domain):\n";
  for (std::size_t i = 0; i < result.differences.size();) {
    const int step = result.differences[i].step;
    text += fmt::format("  step {}: ", step);
    std::size_t shown = 0, hidden = 0;
    for (; i < result.differences.size() && result.differences[i].step == step; ++i) {
      const CourseDifference& difference = result.differences[i];
      if (shown == most_shown) {
        ++hidden;
        continue;
      }
      text += fmt::format("{}{} {} / {}", shown++ == 0 ? "" : ", ", printable(difference.variable),
                          difference.model, difference.domain);
    }
    text += hidden > 0 ? fmt::format(" and {} more\n", hidden) : "\n";
  }
  return text;
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

void add_world(Answer& answer, const Problem& problem, const CheckResult& result) {
  const Replay& replayed = *result.world;
  answer.add("valid_in_domain", replayed.violation.empty());
  answer.add("domain_violation", text_or_null(replayed.violation));
  answer.add("parts_at_step", replayed.diverges > 0 ? JsonValue(replayed.diverges) : JsonValue());
  answer.add("difference", text_or_null(replayed.difference));
  if (result.model.accepted && replayed.violation.empty())
    engines::add_rewards(answer, problem, result.model.cost, to_string(replayed.reward));
  answer.add("differences", json_array_of(result.differences, [](const CourseDifference& difference) {
               return JsonObject{{"step", difference.step},
                                 {"variable", difference.variable},
                                 {"model", JsonNumber{difference.model}},
                                 {"domain", JsonNumber{difference.domain}}};
             }));
  answer.say(replay_text(replayed));
}

void add_episodes(Answer& answer, const PlanEpisodes& episodes) {
  answer.add("episodes", episodes.episodes);
  answer.add("mean_reward", JsonNumber{fmt::format("{:.12g}", episodes.mean), true});
  answer.add("deviation", episodes.deviation);
  answer.add("half_interval", json_rounded(half_interval(episodes.deviation, episodes.episodes)));
  answer.add("refused_episodes", episodes.refused);
  answer.add("domain_violation", text_or_null(episodes.first_violation));
  answer.add("goals", episodes.has_goal ? JsonValue(episodes.goals) : JsonValue());
  answer.say(episodes_text(episodes));
}

}  // namespace

double half_interval(double deviation, std::uint64_t count) {
  return count == 0 ? 0 : 1.96 * deviation / std::sqrt(static_cast<double>(count));
}

Answer answer_of(const Problem& problem, const Plan& plan, const std::string& claim,
                 const CheckResult& result, const TextStyle& style) {
  const PlanCheck& check = result.model;
  Answer answer;
  answer.add("problem", problem.name);
  answer.add("horizon", problem.horizon > 0 ? static_cast<std::size_t>(problem.horizon) : plan.steps.size());
  answer.add("valid", check.accepted);
  answer.add("violation", text_or_null(check.violation));
  if (!check.accepted) answer.add("step", check.step);
  answer.add("cost", check.accepted ? JsonValue(cost_in_units(problem, check.cost)) : JsonValue());
  answer.add("claim", text_or_null(claim));
  if (check.accepted) {
    answer.say(reporting::plan_table(problem, check.plan, 200, style) + "\n");
    if (!claim.empty())
      answer.say(fmt::format("the file claims: {} (which is not checked here)\n", printable(claim)));
    answer.say(fmt::format("valid plan, {}, {}\n", count_text(plan.steps.size(), "step"),
                           worth_text(problem, check.cost)));
  } else {
    answer.say(fmt::format("refused: {}\n", check.violation));
  }
  if (const std::string record = problem.network ? record_claim(*problem.network) : ""; !record.empty()) {
    answer.add("network_record", record);
    answer.say(fmt::format("the network is learned; {}\n", record));
  }
  if (result.world) add_world(answer, problem, result);
  if (result.episodes) add_episodes(answer, *result.episodes);
  answer.add_text("promise", result.promise);
  if (!result.promise.empty()) answer.say(result.promise + "\n");
  answer.say(courses_text(result));
  return answer;
}

Answer answer_of(const ProofCheck& check, JsonMember optimum, std::string worth) {
  constexpr std::string_view claims[] = {"nothing", "satisfiable", "optimal", "infeasible"};
  const bool optimal = check.accepted && check.claim == ProofCheck::Claim::optimal;
  if (worth.empty()) worth = fmt::format("{} {}", optimum.name, json_text(optimum.value));
  Answer answer;
  answer.add("accepted", check.accepted);
  answer.add("refusal", text_or_null(check.refusal));
  answer.add("claim", check.accepted ? JsonValue(claims[static_cast<int>(check.claim)]) : JsonValue());
  answer.add(std::move(optimum.name), optimal ? std::move(optimum.value) : JsonValue());
  answer.add("steps", check.steps);
  answer.add("solutions", check.solutions);
  if (!check.accepted) {
    answer.say(check.refusal + "\n");
    return answer;
  }
  const std::string shown = optimal                                         ? "optimal, " + worth
                            : check.claim == ProofCheck::Claim::infeasible  ? "infeasible"
                            : check.claim == ProofCheck::Claim::satisfiable ? "a solution exists"
                                                                            : "";
  answer.say(fmt::format("accepted: {} ({}, {})\n", shown, count_text(check.steps, "clause"),
                         count_text(check.solutions, "solution")));
  return answer;
}

}  // namespace bnnplan
