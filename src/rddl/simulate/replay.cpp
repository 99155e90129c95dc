// Replaying a plan in the domain it was meant for: a plan that is optimal for a learned model may do
// something else in the true one, and this shows where.
#include "bnnplan/rddl/simulate/replay.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "bnnplan/problem/variable_value.hpp"
#include "bnnplan/rddl/ground/bit_layout.hpp"

namespace bnnplan::rddl {

ProblemBinding::ProblemBinding(const GroundModel& model, const Problem& problem)
    : state_(bind(model, model.state, problem.state, "state")),
      action_(bind(model, model.action, problem.action, "action")) {}

std::vector<ProblemBinding::Place> ProblemBinding::bind(const GroundModel& model,
                                                        const std::vector<GroundVariable>& wanted,
                                                        const VariableList& list, std::string_view what) {
  const std::string& file = *model.file_names.back();
  std::map<std::string, std::size_t, std::less<>> numbers;
  for (std::size_t i = 0; i < list.variables.size(); ++i) numbers.emplace(list.variables[i].name, i);
  std::vector<Place> places;
  for (const GroundVariable& variable : wanted) {
    const auto found = numbers.find(variable.name);
    if (found == numbers.end()) {
      throw InputError(file, fmt::format("the problem has no {} variable '{}' of this instance", what,
                                         printable(variable.name)));
    }
    const Variable& bound = list.variables[found->second];
    const bool boolean = variable.kind == ValueKind::boolean;
    if (boolean != bound.boolean) {
      throw InputError(file, fmt::format("{} variable '{}' is {} in the problem and {} in the domain", what,
                                         printable(variable.name), bound.boolean ? "Boolean" : "an integer",
                                         boolean ? "Boolean" : "an integer"));
    }
    const bool real = variable.kind == ValueKind::real;
    if (bound.scale != 0 && !real) {
      throw InputError(
          file, fmt::format("{} variable '{}' is scaled in the problem, but an integer in the domain", what,
                            printable(variable.name)));
    }
    places.push_back({list.first_bit[found->second], bound, real, {}});
    for (int number = 2;; ++number) {
      const auto copy = numbers.find(fmt::format("{}#{}", variable.name, number));
      if (copy == numbers.end() || list.variables[copy->second].bits != bound.bits) break;
      places.back().copies.push_back(list.first_bit[copy->second]);
    }
  }
  return places;
}

std::int64_t ProblemBinding::value_at(const Place& place, const BitValues& bits) {
  const auto own = std::span(bits).subspan(place.first_bit, static_cast<std::size_t>(place.variable.bits));
  const Decimal value = value_of_bits(place.variable, own);
  return place.real ? value_of_real(std::stod(to_string(value))) : scaled(value, 0);
}

ActionValues ProblemBinding::action_values(const BitValues& bits) const {
  ActionValues values;
  for (const Place& place : action_) values.push_back(value_at(place, bits));
  return values;
}

StateValues ProblemBinding::state_values(const BitValues& bits, const StateValues& fallback) const {
  StateValues values = fallback;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    const Place& place = state_[i];
    const auto own = std::span(bits).subspan(place.first_bit, static_cast<std::size_t>(place.variable.bits));
    if (std::find(own.begin(), own.end(), unknown_bit) == own.end()) values[i] = value_at(place, bits);
  }
  return values;
}

void ProblemBinding::put_state(const StateValues& state, BitValues& bits) const {
  for (std::size_t i = 0; i < state_.size(); ++i) {
    VariableList one;
    one.add(state_[i].variable);
    BitValues own;
    std::int64_t value = state[i];
    if (state_[i].real) {
      const double units = std::floor(real_of_value(value) * std::pow(10.0, -state_[i].variable.scale) + 0.5);
      constexpr double most = 1e15;  // far more than any variable has, and exact
      value = static_cast<std::int64_t>(std::clamp(units, -most, most));
    }
    append_bits(one, {&value, 1}, own);
    std::copy(own.begin(), own.end(), bits.begin() + state_[i].first_bit);
    for (const std::uint32_t copy : state_[i].copies) std::copy(own.begin(), own.end(), bits.begin() + copy);
  }
}

bool ProblemBinding::has_state_bit(std::uint32_t bit) const {
  return std::any_of(state_.begin(), state_.end(), [&](const Place& place) {
    return bit >= place.first_bit && bit < place.first_bit + static_cast<std::uint32_t>(place.variable.bits);
  });
}

namespace {

// "x is 1 in the plan and 0 in the domain, ...", a few of them; "" if they are the same.
std::string difference_text(const std::vector<GroundVariable>& variables, const StateValues& plan,
                            const StateValues& domain, std::string_view where) {
  constexpr int most_shown = 4;
  std::string text;
  int shown = 0;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (plan[i] == domain[i]) continue;
    if (++shown > most_shown) return text + ", ...";
    text += fmt::format("{}{} is {} in the plan and {} in the {}", text.empty() ? "" : ", ",
                        printable(variables[i].name), plan[i], domain[i], where);
  }
  return text;
}

}  // namespace

std::string missing_object(const std::vector<GroundVariable>& variables,
                           const std::vector<std::int64_t>& values) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].kind != ValueKind::object) continue;
    if (values[i] >= 0 && values[i] < variables[i].object_count) continue;
    return fmt::format("{} is {}, but its objects are 0 to {}", printable(variables[i].name), values[i],
                       variables[i].object_count - 1);
  }
  return "";
}

Replay replay(Simulator& simulator, const Problem& problem, const Plan& plan) {
  const GroundModel& model = simulator.model();
  const ProblemBinding binding(model, problem);
  Replay result;
  const StateValues usual = simulator.initial_state();
  const StateValues first = binding.state_values(plan.initial, usual);
  result.start = difference_text(model.state, first, usual, "instance");
  result.states.push_back(first);
  const StepWeights weights = step_weights(problem.objective, static_cast<int>(plan.steps.size()));
  result.multiple = problem.objective.multiple;
  const Rational unit = make_rational(result.multiple, checked_power_of_ten(weights.decimals));
  const double factor = real_of(model.discount);
  if (problem.objective.discount != decimal_of(model.discount)) result.discounted = 0;
  double weight = 1;
  const auto refuse = [&](std::size_t actions, std::string violation) {
    result.refused_actions = actions;
    result.violation = std::move(violation);
    return result;
  };
  if (const std::string missing = missing_object(model.state, first); !missing.empty())
    return refuse(0, fmt::format("initial state: {}", missing));
  if (const std::string broken = simulator.broken_invariant(first); !broken.empty())
    return refuse(0, fmt::format("initial state: breaks the {}", broken));
  for (std::size_t t = 0; t < plan.steps.size(); ++t) {
    result.step = static_cast<int>(t + 1);
    const StateValues state = result.states.back();
    if (const std::string dead = simulator.dead_because(state); !dead.empty())
      return refuse(t, fmt::format("step {}: illegal by the {}", result.step, dead));
    const ActionValues action = binding.action_values(plan.steps[t].action);
    if (const std::string missing = missing_object(model.action, action); !missing.empty())
      return refuse(t + 1, fmt::format("step {}: {}", result.step, missing));
    if (const std::string illegal = simulator.illegal_because(state, action); !illegal.empty())
      return refuse(t + 1, fmt::format("step {}: illegal by the {}", result.step, illegal));
    const StateValues next = simulator.step(state, action);
    result.actions.push_back(action);
    result.states.push_back(next);
    const Rational reward = simulator.reward(state, action, next);
    result.rewards.push_back(make_rational(weights.of(result.step)) * unit * reward);
    result.reward = result.reward + result.rewards.back();
    if (result.discounted) *result.discounted += weight * real_of(reward);
    weight *= factor;
    if (result.diverges == 0) {
      result.difference =
          difference_text(model.state, binding.state_values(plan.steps[t].state, next), next, "domain");
      if (!result.difference.empty()) result.diverges = result.step;
    }
    if (const std::string broken = simulator.broken_invariant(next); !broken.empty())
      return refuse(t + 1, fmt::format("step {}: breaks the {}", result.step, broken));
  }
  ++result.step;
  if (!simulator.goal_reached(result.states.back()))
    return refuse(plan.steps.size(), "after the last step: the goal is not reached");
  return result;
}

std::string replay_text(const Replay& replay) {
  std::string text;
  if (!replay.start.empty())
    text += fmt::format("initial state differs from the instance: {}\n", printable(replay.start, 1000));
  text += replay.diverges == 0 ? "model and domain agree on every state\n"
                               : fmt::format("model and domain diverge at step {}: {}\n", replay.diverges,
                                             printable(replay.difference, 1000));
  text +=
      replay.violation.empty()
          ? fmt::format("valid in the domain, total reward {}{}{}\n",
                        to_string(replay.reward / make_rational(replay.multiple)),
                        replay.multiple == 1 ? ""
                                             : fmt::format(" ({} in the problem, which counts it {} times)",
                                                           to_string(replay.reward), replay.multiple),
                        replay.discounted
                            ? fmt::format(" ({:.6g} discounted as the instance says)", *replay.discounted)
                            : "")
          : fmt::format("refused by the domain: {}\n", printable(replay.violation, 1000));
  return text;
}

}  // namespace bnnplan::rddl
