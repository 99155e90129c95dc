// A plan is good if the model says so and, where the true domain is known, if the domain says so as well; and it is worth
// what the model promises only if both come to the same reward.
#include <bnnplan/check.hpp>

#include "problem/worth.hpp"

namespace bnnplan {

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
  result.accepted &= result.world->violation.empty();
  if (result.accepted)
    result.promise = promise_text(checked, result.model.cost, to_string(result.world->reward));
  return result;
}

}  // namespace bnnplan
