// A plan is good if the model says so and, where the true domain is known, if the domain says so as well; and it is worth
// what the model promises only if both come to the same reward.
#include <algorithm>

#include <bnnplan/check.hpp>
#include <fmt/format.h>

#include "problem/variable_value.hpp"
#include "problem/worth.hpp"

namespace bnnplan {

namespace {

std::vector<CourseDifference> differences_of(const Simulator& domain, const Problem& problem,
                                             const Plan& plan, const Replay& world) {
  const ProblemBinding binding(domain.model(), problem);
  const VariableList& list = problem.state;
  std::vector<CourseDifference> differences;
  for (std::size_t t = 0; t + 1 < world.states.size() && t < plan.steps.size(); ++t) {
    const BitValues& model = plan.steps[t].state;
    BitValues truth = model;
    binding.put_state(world.states[t + 1], truth);
    for (std::size_t i = 0; i < list.variables.size(); ++i) {
      const auto first = list.first_bit[i], last = list.first_bit[i + 1];
      if (std::equal(model.begin() + first, model.begin() + last, truth.begin() + first)) continue;
      differences.push_back({static_cast<int>(t) + 1, list.variables[i].name,
                             to_string(value_of(list, i, model)), to_string(value_of(list, i, truth))});
    }
  }
  return differences;
}

}  // namespace

CheckResult check(const Problem& problem, const Plan& plan, const Simulator* domain) {
  std::optional<Problem> as_long_as_the_plan;
  if (problem.horizon == 0) {
    if (plan.steps.empty()) throw InputError("the plan has no steps, and the problem states no horizon");
    as_long_as_the_plan = problem;
    set_horizon(*as_long_as_the_plan, static_cast<std::int64_t>(plan.steps.size()));
  }
  const Problem& checked = as_long_as_the_plan ? *as_long_as_the_plan : problem;
  CheckResult result;
  result.model = check_plan(checked, plan);
  result.accepted = result.model.accepted;
  if (domain == nullptr) return result;
  result.world = replay(*domain, checked, result.accepted ? result.model.plan : plan);
  if (result.model.accepted)
    result.differences = differences_of(*domain, checked, result.model.plan, *result.world);
  result.accepted &= result.world->violation.empty();
  if (result.accepted)
    result.promise = promise_text(checked, result.model.cost, to_string(result.world->reward));
  return result;
}

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

}  // namespace bnnplan
