// A plan is good if the model says so and, where the true domain is known, if the domain says so as well; and
// it is worth what the model promises only if both come to the same reward. In a random domain there is no
// such promise to keep: there it is what the plan gives on average, and how often it comes through.
#include <algorithm>
#include <cmath>

#include <bnnplan/check.hpp>
#include <fmt/format.h>

#include "bnnplan/api/returns.hpp"
#include "bnnplan/api/world_course.hpp"
#include "bnnplan/problem/variable_value.hpp"
#include "bnnplan/problem/worth.hpp"

namespace bnnplan {

namespace {

void compare_reals(const rddl::GroundModel& model, const rddl::StateValues& plan,
                   const rddl::StateValues& domain, std::size_t step, PlanEpisodes& result) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (model.state[i].kind != rddl::ValueKind::real) continue;
    const double away = std::abs(rddl::real_of_value(plan[i]) - rddl::real_of_value(domain[i]));
    if (!(away > result.difference)) continue;
    result.difference = away;
    result.differs = fmt::format("{} after step {}", model.state[i].name, step);
  }
}

std::vector<CourseDifference> differences_of(rddl::Simulator& domain, const Problem& problem,
                                             const Plan& plan, const Replay& world) {
  const VariableList& list = problem.state;
  const std::vector<BitValues> states = world_states(domain, problem, plan, world);
  std::vector<CourseDifference> differences;
  for (std::size_t t = 0; t + 1 < states.size(); ++t) {
    const BitValues& model = plan.steps[t].state;
    const BitValues& truth = states[t + 1];
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

PlanEpisodes replay_episodes(const Problem& problem, const Plan& plan, rddl::Simulator& domain,
                             const CheckOptions& options) {
  const rddl::GroundModel& model = domain.model();
  const ProblemBinding binding(model, problem);
  std::vector<rddl::ActionValues> actions;
  for (const PlanStep& step : plan.steps) actions.push_back(binding.action_values(step.action));
  const rddl::StateValues first = binding.state_values(plan.initial, domain.initial_state());
  Returns returns(rddl::real_of(model.discount));
  PlanEpisodes result;
  result.has_goal = !model.goals.empty();
  rddl::StateValues next;
  const std::uint64_t episodes = domain.is_random() ? options.episodes : 1;
  for (; result.episodes < episodes; ++result.episodes) {
    if (options.interrupt != nullptr && options.interrupt->load(std::memory_order_relaxed)) break;
    SimulationRandom luck(options.seed * 1'000'003 + result.episodes);
    rddl::StateValues state = first;
    std::string violation;
    for (std::size_t t = 0; t < actions.size() && violation.empty(); ++t) {
      violation = missing_object(model.action, actions[t]);
      if (!violation.empty()) break;
      const std::string illegal = domain.illegal_because(state, actions[t]);
      if (!illegal.empty()) {
        violation = fmt::format("step {}: illegal by the {}", t + 1, illegal);
        break;
      }
      domain.step(state, actions[t], next, &luck);
      returns.add(domain.step_reward(&luck).real);
      std::swap(state, next);
      if (!domain.is_random())
        compare_reals(model, binding.state_values(plan.steps[t].state, state), state, t + 1, result);
      const std::string broken = domain.broken_invariant(state);
      if (!broken.empty()) violation = fmt::format("step {}: breaks the {}", t + 1, broken);
    }
    returns.end_episode();
    if (!violation.empty()) {
      ++result.refused;
      if (result.first_violation.empty())
        result.first_violation = fmt::format("episode {}, {}", result.episodes + 1, violation);
    } else if (result.has_goal && domain.goal_reached(state)) {
      ++result.goals;
    }
  }
  result.mean = returns.mean();
  result.deviation = returns.deviation();
  return result;
}

CheckResult check(const Problem& problem, const Plan& plan, rddl::Simulator* domain,
                  const CheckOptions& options) {
  std::optional<rddl::Simulator> named;
  if (domain == nullptr) {
    check_options(options, options_of);
    if (!options.world.domain.empty()) domain = &named.emplace(options.world.domain, options.world.instance);
  }
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
  if (!is_exact(*domain)) {
    result.episodes = replay_episodes(checked, result.accepted ? result.model.plan : plan, *domain, options);
    result.accepted &= result.episodes->refused < result.episodes->episodes;
    return result;
  }
  result.world = replay(*domain, checked, result.accepted ? result.model.plan : plan);
  if (result.model.accepted)
    result.differences = differences_of(*domain, checked, result.model.plan, *result.world);
  result.accepted &= result.world->violation.empty();
  if (result.accepted)
    result.promise = promise_text(checked, result.model.cost, to_string(result.world->reward));
  return result;
}

}  // namespace bnnplan
