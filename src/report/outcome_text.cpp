// The result of planning in words: first the plan, then one line that answers the question, then how it came.
#include "report/outcome_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/input_error.hpp"
#include "report/plan_picture.hpp"
#include "report/plan_table.hpp"

namespace bnnplan {

namespace {

std::string cost_text(const Problem& problem, std::int64_t cost) {
  return to_string(cost_in_units(problem, cost));
}

std::string steps_text(int horizon) { return horizon == 1 ? "1 step" : fmt::format("{} steps", horizon); }

std::string answer_text(const Problem& problem, const Outcome& outcome) {
  const std::string steps = steps_text(problem.horizon);
  const std::string proved =
      outcome.claimed_by.empty() ? "proved" : fmt::format("as {} claims", printable(outcome.claimed_by));
  const std::string bound = outcome.lower_bound ? fmt::format(", no plan costs less than {}",
                                                              cost_text(problem, *outcome.lower_bound))
                                                : std::string();
  const std::string why = outcome.stopped == StopReason::none
                              ? std::string()
                              : fmt::format(" ({})", stop_reason_text(outcome.stopped));
  switch (outcome.status) {
    case Status::optimal:
      return fmt::format("optimal plan of {}, cost {}, {}", steps, cost_text(problem, *outcome.cost), proved);
    case Status::plan:
      return fmt::format("plan of {}, cost {}, not proved optimal{}{}", steps,
                         cost_text(problem, *outcome.cost), bound, why);
    case Status::infeasible:
      return fmt::format("infeasible: there is no plan of {}, {}", steps, proved);
    case Status::unknown:
      return fmt::format("unknown: no plan of {} found{}{}", steps, why, bound);
  }
  __builtin_unreachable();
}

template <class Number>
const Number* statistic(const Outcome& outcome, std::string_view name) {
  const auto found = std::find_if(outcome.statistics.begin(), outcome.statistics.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  return found == outcome.statistics.end() ? nullptr : std::get_if<Number>(&found->second);
}

const std::int64_t* count(const Outcome& outcome, std::string_view name) {
  return statistic<std::int64_t>(outcome, name);
}

std::string memory_text(std::size_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

std::string outcome_text(const Problem& problem, const Outcome& outcome, const TextStyle& style,
                         bool picture) {
  std::string text;
  if (outcome.plan) {
    text += plan_table(problem, *outcome.plan, 200, style) + "\n";
    const std::string drawn = picture ? plan_picture(problem, *outcome.plan, style) : "";
    if (!drawn.empty()) text += drawn + "\n";
  }
  const std::string answer = answer_text(problem, outcome);
  text += (outcome.status == Status::optimal ? style.good(answer)
           : outcome.status == Status::plan  ? style.doubtful(answer)
                                             : style.bad(answer)) +
          "\n";
  if (const std::int64_t* refused = count(outcome, "refused_prefixes")) {
    const bool valid = outcome.plan.has_value();
    text += fmt::format("{}{} {} of actions excluded\n", valid ? "valid in the true domain, " : "", *refused,
                        *refused == 1 ? "prefix" : "prefixes");
  }
  text += fmt::format("engine {}, {:.3f} s", outcome.engine, outcome.seconds);
  for (const char* name : {"states", "evaluations", "clauses", "conflicts", "decisions"}) {
    if (const std::int64_t* value = count(outcome, name)) text += fmt::format(", {} {}", *value, name);
  }
  if (const double* speed = statistic<double>(outcome, "propagations_per_second"))
    text += fmt::format(", {:.2f} M propagations/s", *speed / 1e6);
  if (const std::int64_t* bytes = count(outcome, "bytes"))
    text += ", " + memory_text(static_cast<std::size_t>(*bytes));
  text += "\n";
  if (!outcome.proof.empty())
    text += fmt::format("proof in {}, see `bnnplan check-proof`\n", printable(outcome.proof));
  return text;
}

std::string progress_text(const Problem& problem, const Progress& progress) {
  std::string text = fmt::format("{:.0f} s: {}, {}", progress.seconds, progress.activity,
                                 memory_text(progress.memory_bytes));
  if (progress.lower_bound) text += fmt::format(", cost >= {}", cost_text(problem, *progress.lower_bound));
  if (progress.best_cost) text += fmt::format(", best {}", cost_text(problem, *progress.best_cost));
  return text;
}

}  // namespace bnnplan
