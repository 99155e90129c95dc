// The result of planning in words: first the plan, then one line that answers the question, then how it was
// found.
#include "bnnplan/report/outcome_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/network/model_record.hpp"
#include "bnnplan/problem/worth.hpp"
#include "bnnplan/report/plan_picture.hpp"
#include "bnnplan/report/plan_table.hpp"

namespace bnnplan::reporting {

namespace {

std::string answer_text(const Problem& problem, const engines::Outcome& outcome) {
  const std::string steps = count_text(problem.horizon, "step");
  const std::string resumed = outcome.resumed_from.empty()
                                  ? std::string()
                                  : fmt::format(", resumed from {}", printable(outcome.resumed_from));
  const std::string proved =
      (outcome.claimed_by.empty() ? "proved" : fmt::format("as {} claims", printable(outcome.claimed_by))) +
      resumed;
  const std::string bound =
      outcome.lower_bound ? ", " + bound_text(problem, *outcome.lower_bound) : std::string();
  const std::string why = outcome.stopped == StopReason::none
                              ? std::string()
                              : fmt::format(" ({})", stop_reason_text(outcome.stopped));
  switch (outcome.status) {
    case Status::optimal:
      return fmt::format("optimal plan of {}, {}, {}", steps, worth_text(problem, *outcome.cost), proved);
    case Status::feasible:
      return fmt::format("plan of {}, {}, not proved optimal{}{}{}", steps,
                         worth_text(problem, *outcome.cost), bound, why, resumed);
    case Status::infeasible:
      return fmt::format("infeasible: there is no plan of {}{}, {}", outcome.shortest > 1 ? "1 to " : "",
                         steps, proved);
    case Status::unknown:
      return fmt::format("unknown: no plan of {} found{}{}{}", steps, why, bound, resumed);
  }
  __builtin_unreachable();
}

template <class Number>
const Number* statistic(const engines::Outcome& outcome, std::string_view name) {
  const auto found = std::find_if(outcome.statistics.begin(), outcome.statistics.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  return found == outcome.statistics.end() ? nullptr : std::get_if<Number>(&found->second);
}

const std::int64_t* count(const engines::Outcome& outcome, std::string_view name) {
  return statistic<std::int64_t>(outcome, name);
}

std::string memory_text(std::size_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

// What `--shortest` adds, unless the answer says it.
std::string shortest_text(const engines::Outcome& outcome) {
  const std::string excluded = outcome.excluded() > 0 ? fmt::format("no plan of {} or fewer (proved)",
                                                                    count_text(outcome.excluded(), "step"))
                                                      : "";
  if (!outcome.plan) return excluded.empty() ? "" : excluded + "\n";
  return fmt::format("shortest: {}{}\n", count_text(outcome.shortest, "step"),
                     excluded.empty() ? "" : "; no plan of fewer (proved)");
}

// What `--repair` adds. Its optimum is only one among the plans on which model and domain agree.
std::string repair_text(const Problem& problem, const engines::Outcome& outcome, const TextStyle& style) {
  std::string text;
  if (outcome.plan) {
    text += "valid in the true domain, with the same state at every step";
    if (outcome.status == Status::optimal) text += " (optimal among such plans, not in the domain itself)";
    text += "\n";
    const std::string promise = promise_text(problem, *outcome.cost, outcome.domain_reward);
    if (!promise.empty()) text += style.bad(promise) + "\n";
  } else if (outcome.status == Status::infeasible) {
    text += "no plan has the same state at every step in the model and in the true domain\n";
  }
  const std::int64_t *prefixes = count(outcome, "refused_prefixes"), *steps = count(outcome, "refused_steps");
  if (prefixes == nullptr) return text;  // it was terminated from outside
  const bool with_steps = steps != nullptr && *steps > 0;
  if (*prefixes > 0 || !with_steps) text += count_text(*prefixes, "prefix", "prefixes") + " of actions";
  if (*prefixes > 0 && with_steps) text += " and ";
  if (with_steps) text += count_text(*steps, "step");
  return text + " excluded\n";
}

}  // namespace

std::string outcome_text(const Problem& problem, const engines::Outcome& outcome, const TextStyle& style,
                         bool picture) {
  std::string text;
  if (outcome.plan) {
    text += plan_table(problem, *outcome.plan, 200, style) + "\n";
    const std::string drawn = picture ? plan_picture(problem, *outcome.plan, style) : "";
    if (!drawn.empty()) text += drawn + "\n";
  }
  const std::string answer = answer_text(problem, outcome);
  text += (outcome.status == Status::optimal    ? style.good(answer)
           : outcome.status == Status::feasible ? style.doubtful(answer)
                                                : style.bad(answer)) +
          "\n";
  if (outcome.shortest > 0 && outcome.status != Status::infeasible) text += shortest_text(outcome);
  if (count(outcome, "refused_prefixes") != nullptr || !outcome.domain_reward.empty())
    text += repair_text(problem, outcome, style);
  if (problem.network) {
    const std::string claim = record_claim(*problem.network);
    if (!claim.empty()) text += fmt::format("the network is learned; {}\n", claim);
  }
  text += fmt::format("engine {}, {:.3f} s", outcome.engine, outcome.seconds);
  for (const char* one : {"state", "evaluation", "clause", "conflict", "decision"}) {
    if (const std::int64_t* value = count(outcome, fmt::format("{}s", one)))
      text += ", " + count_text(*value, one);
  }
  if (const double* speed = statistic<double>(outcome, "propagations_per_second"))
    text += fmt::format(", {:.2f} M propagations/s", *speed / 1e6);
  if (const std::int64_t* bytes = count(outcome, "bytes"))
    text += ", " + memory_text(static_cast<std::size_t>(*bytes));
  text += "\n";
  if (!outcome.checkpoint.empty())
    text += fmt::format("saved in {}, resume with `{} {}`\n", printable(outcome.checkpoint),
                        style.option("resume"), printable(outcome.checkpoint));
  if (!outcome.proof.empty())
    text += fmt::format("proof in {}, see `bnnplan check-proof`\n", printable(outcome.proof));
  return text;
}

std::string progress_text(const Problem& problem, const Progress& progress) {
  std::string text = fmt::format("{:.0f} s: {}, {}", progress.seconds, progress.activity,
                                 memory_text(progress.memory_bytes));
  const bool maximize = problem.objective.maximize;
  if (progress.lower_bound) {
    text += fmt::format(", {} {} {}", worth_name(maximize),
                        maximize ? "<=" : ">=", worth_number(problem, *progress.lower_bound));
  }
  if (progress.best_cost) text += fmt::format(", best {}", worth_number(problem, *progress.best_cost));
  return text;
}

}  // namespace bnnplan::reporting
