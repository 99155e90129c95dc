#include "bnnplan/report/plan_picture.hpp"

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/variable_value.hpp"
#include "bnnplan/view/text_picture.hpp"

namespace bnnplan::reporting {

std::string plan_picture(const Problem& problem, const Plan& plan, const TextStyle& style) {
  if (!problem.view) return "";
  view::PlanFrames frames;
  frames.steps = plan.steps.size();
  frames.state = [&](std::size_t frame, std::uint32_t variable) {
    return value_of(problem.state, variable, frame == 0 ? plan.initial : plan.steps[frame - 1].state);
  };
  frames.action = [&](std::size_t frame, std::uint32_t variable) {
    return value_of(problem.action, variable, plan.steps[frame - 1].action);
  };
  frames.taken = [&](std::size_t frame) {
    std::string actions;
    for (std::uint32_t i = 0; i < problem.action.variables.size(); ++i) {
      const Variable& variable = problem.action.variables[i];
      const Decimal value = frames.action(frame, i);
      if (value.digits == 0) continue;
      actions += (actions.empty() ? "" : ",") + printable(variable.name);
      if (!variable.boolean) actions += "=" + to_string(value);
    }
    return actions;
  };
  return view::text_picture(*problem.view, frames, style);
}

}  // namespace bnnplan::reporting
