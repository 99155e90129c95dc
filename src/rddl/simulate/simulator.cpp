// The simulator: load state and action into the value vector, evaluate the definitions in their order, read
// the next state from its slots. All the work of names, objects and non-fluents was done in grounding.
#include "rddl/simulate/simulator.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace bnnplan {

Simulator::Simulator(const std::filesystem::path& domain, const std::filesystem::path& instance)
    : Simulator(read_ground_model(domain, instance)) {}

Simulator::Simulator(GroundModel model) : model_(std::move(model)), values_(model_.slot_count(), 0) {
  for (const GroundCondition& constraint : model_.constraints) {
    for (const std::uint32_t slot : slots_of(model_.nodes, constraint.node)) {
      constraints_use_intermediate_ |= slot >= model_.first_intermediate();
    }
  }
  for (std::uint32_t slot = 0; slot < model_.slot_count(); ++slot) {
    const GroundVariable& variable = model_.variable(slot);
    const bool bounded = variable.kind != ValueKind::integer;
    const std::int64_t high = variable.kind == ValueKind::boolean ? 1 : variable.object_count - 1;
    action_ranges_.push_back({bounded, {}, make_rational(bounded ? high : 0)});
  }
  const std::string broken = broken_invariant(initial_state());
  if (!broken.empty()) {
    throw RddlError(model_.instance_place, fmt::format("the initial state breaks the {}", broken));
  }
}

StateValues Simulator::initial_state() const {
  StateValues state;
  for (const GroundVariable& variable : model_.state) state.push_back(variable.initial);
  return state;
}

ActionValues Simulator::default_action() const {
  ActionValues action;
  for (const GroundVariable& variable : model_.action) action.push_back(variable.initial);
  return action;
}

void Simulator::load(const StateValues& state, const ActionValues& action) const {
  std::copy(state.begin(), state.end(), values_.begin());
  std::copy(action.begin(), action.end(), values_.begin() + model_.first_action());
}

void Simulator::derive() const {
  for (const GroundDefinition& definition : model_.order) {
    values_[definition.slot] = evaluate_integer(model_.nodes, definition.node, values_);
  }
}

const GroundCondition* Simulator::broken_constraint(const StateValues& state,
                                                    const ActionValues& action) const {
  load(state, action);
  if (constraints_use_intermediate_) derive();
  for (const GroundCondition& constraint : model_.constraints) {
    if (!evaluate_truth(model_.nodes, constraint.node, values_)) return &constraint;
  }
  return nullptr;
}

bool Simulator::too_many_actions(const ActionValues& action) const {
  if (!model_.max_nondefault_actions) return false;
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < action.size(); ++i) changed += action[i] != model_.action[i].initial ? 1 : 0;
  return changed > *model_.max_nondefault_actions;
}

bool Simulator::legal(const StateValues& state, const ActionValues& action) const {
  return broken_constraint(state, action) == nullptr && !too_many_actions(action);
}

std::string Simulator::illegal_because(const StateValues& state, const ActionValues& action) const {
  if (const GroundCondition* broken = broken_constraint(state, action)) {
    return fmt::format("constraint at {}", to_string(broken->place));
  }
  return too_many_actions(action) ? fmt::format("max-nondef-actions = {}", *model_.max_nondefault_actions)
                                  : "";
}

std::string Simulator::dead_because(const StateValues& state) const {
  std::vector<Interval> slots = action_ranges_;
  for (std::size_t i = 0; i < state.size(); ++i) slots[i] = point_interval(state[i]);
  for (const GroundCondition& constraint : model_.constraints) {
    if (surely_false(model_.nodes, constraint.node, slots)) {
      return fmt::format("constraint at {}", to_string(constraint.place));
    }
  }
  return "";
}

StateValues Simulator::step(const StateValues& state, const ActionValues& action) const {
  StateValues next;
  step(state, action, next);
  return next;
}

void Simulator::step(const StateValues& state, const ActionValues& action, StateValues& next) const {
  load(state, action);
  derive();
  next.assign(values_.begin() + model_.first_next(), values_.end());
}

Rational Simulator::reward(const StateValues& state, const ActionValues& action,
                           const StateValues& next) const {
  if (!model_.reward) return {};
  load(state, action);
  derive();
  std::copy(next.begin(), next.end(), values_.begin() + model_.first_next());
  return evaluate_rational(model_.nodes, *model_.reward, values_);
}

bool Simulator::goal_reached(const StateValues& state) const {
  std::copy(state.begin(), state.end(), values_.begin());
  return std::all_of(model_.goals.begin(), model_.goals.end(), [&](const GroundCondition& goal) {
    return evaluate_truth(model_.nodes, goal.node, values_);
  });
}

std::string Simulator::broken_invariant(const StateValues& state) const {
  std::copy(state.begin(), state.end(), values_.begin());
  for (const GroundCondition& invariant : model_.invariants) {
    if (!evaluate_truth(model_.nodes, invariant.node, values_)) {
      return fmt::format("invariant at {}", to_string(invariant.place));
    }
  }
  return "";
}

}  // namespace bnnplan
