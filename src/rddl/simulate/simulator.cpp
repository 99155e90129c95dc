// The simulator: load state and action into the value vector, evaluate the definitions in their order, read
// the next state from its slots. All the work of names, objects and non-fluents was done in grounding.
#include "rddl/simulate/simulator.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace bnnplan {

Simulator::Simulator(const std::filesystem::path& domain, const std::filesystem::path& instance,
                     std::string_view instance_name)
    : Simulator(read_ground_model(domain, instance, instance_name)) {}

Simulator::Simulator(GroundModel model) : model_(std::move(model)), values_(model_.slot_count(), 0) {
  find_random();
  for (std::uint32_t slot = 0; slot < model_.slot_count(); ++slot) {
    const GroundVariable& variable = model_.variable(slot);
    const bool bounded = variable.kind == ValueKind::boolean || variable.kind == ValueKind::object;
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

// What constraints depend on, which must not be random: they say what is legal before anything is drawn.
void Simulator::find_random() {
  const NodePool& nodes = model_.nodes;
  std::vector<bool> needed(model_.slot_count(), false), random(model_.slot_count(), false);
  for (const GroundDefinition& definition : model_.order) {
    random[definition.slot] = nodes.is_random(definition.node);
    if (!model_.variable(definition.slot).observed) is_random_ = is_random_ || random[definition.slot];
    for (const std::uint32_t slot : slots_of(nodes, definition.node))
      random[definition.slot] = random[definition.slot] || random[slot];
  }
  is_random_ = is_random_ || (model_.reward && nodes.is_random(*model_.reward));
  for (const GroundCondition& constraint : model_.constraints) {
    const auto slots = slots_of(nodes, constraint.node);
    const bool by_action = std::all_of(slots.begin(), slots.end(), [&](std::uint32_t slot) {
      return slot >= model_.first_action() && slot < model_.first_intermediate();
    });
    (by_action ? on_action_alone_ : depending_on_state_).push_back(constraint.node);
    for (const std::uint32_t slot : slots) {
      needed[slot] = true;
      if (random[slot]) {
        throw RddlError(constraint.place, fmt::format("the constraint depends on '{}', which is random",
                                                      model_.slot_name(slot)));
      }
    }
  }
  for (auto definition = model_.order.rbegin(); definition != model_.order.rend(); ++definition) {
    if (!needed[definition->slot]) continue;
    for (const std::uint32_t slot : slots_of(nodes, definition->node)) needed[slot] = true;
  }
  for (const GroundDefinition& definition : model_.order) {
    derivations_.push_back(derivation(definition));
    if (needed[definition.slot]) for_constraints_.push_back(derivation(definition));
  }
}

Simulator::Derivation Simulator::derivation(const GroundDefinition& definition) const {
  const GroundVariable& variable = model_.variable(definition.slot);
  return {definition.slot, definition.node, variable.kind == ValueKind::real,
          model_.nodes.is_random(definition.node), variable.observed};
}

void Simulator::refuse_random(const Derivation& derivation) const {
  throw RddlError(
      model_.variable(derivation.slot).place,
      fmt::format("'{}' is random: expected a deterministic domain here", model_.slot_name(derivation.slot)));
}

void Simulator::derive(const std::vector<Derivation>& derivations, SimulationRandom* random) const {
  for (const Derivation& derivation : derivations) {
    if (random == nullptr && derivation.random) {
      if (derivation.observed) continue;
      refuse_random(derivation);
    }
    if (!derivation.real) {
      values_[derivation.slot] = evaluate_integer(model_.nodes, derivation.node, values_, random);
      continue;
    }
    const double value = evaluate_real(model_.nodes, derivation.node, values_, random);
    if (std::isnan(value)) {
      throw RddlError(model_.variable(derivation.slot).place,
                      fmt::format("the value of '{}' is not a number", model_.slot_name(derivation.slot)));
    }
    values_[derivation.slot] = value_of_real(value);
  }
}

const GroundCondition* Simulator::broken_constraint(const StateValues& state,
                                                    const ActionValues& action) const {
  if (terminated(state)) return nullptr;
  load(state, action);
  derive(for_constraints_, nullptr);
  for (const GroundCondition& constraint : model_.constraints) {
    if (!evaluate_truth(model_.nodes, constraint.node, values_)) return &constraint;
  }
  return nullptr;
}

bool Simulator::terminated(const StateValues& state) const {
  if (!model_.termination) return false;
  std::copy(state.begin(), state.end(), values_.begin());
  return evaluate_truth(model_.nodes, model_.termination->node, values_);
}

bool Simulator::too_many_actions(const ActionValues& action) const {
  if (!model_.max_nondefault_actions) return false;
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < action.size(); ++i) changed += action[i] != model_.action[i].initial ? 1 : 0;
  return changed > *model_.max_nondefault_actions;
}

bool Simulator::legal(const StateValues& state, const ActionValues& action) const {
  return broken_constraint(state, action) == nullptr && (!too_many_actions(action) || terminated(state));
}

bool Simulator::legal_by_itself(const ActionValues& action) const {
  std::copy(action.begin(), action.end(), values_.begin() + model_.first_action());
  return !too_many_actions(action) &&
         std::all_of(on_action_alone_.begin(), on_action_alone_.end(),
                     [&](NodeId node) { return evaluate_truth(model_.nodes, node, values_); });
}

bool Simulator::legal_in_state(const StateValues& state, const ActionValues& action) const {
  if (depending_on_state_.empty() || terminated(state)) return true;
  load(state, action);
  derive(for_constraints_, nullptr);
  return std::all_of(depending_on_state_.begin(), depending_on_state_.end(),
                     [&](NodeId node) { return evaluate_truth(model_.nodes, node, values_); });
}

std::string Simulator::illegal_because(const StateValues& state, const ActionValues& action) const {
  if (const GroundCondition* broken = broken_constraint(state, action)) {
    return fmt::format("constraint at {}", to_string(broken->place));
  }
  return too_many_actions(action) && !terminated(state)
             ? fmt::format("max-nondef-actions = {}", *model_.max_nondefault_actions)
             : "";
}

std::string Simulator::dead_because(const StateValues& state) const {
  if (terminated(state)) return "";
  std::vector<Interval> slots = action_ranges_;
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (model_.state[i].kind != ValueKind::real) slots[i] = point_interval(state[i]);
  }
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

void Simulator::step(const StateValues& state, const ActionValues& action, StateValues& next,
                     SimulationRandom* random) const {
  stays_ = terminated(state);
  load(state, action);
  if (stays_) {
    std::copy(state.begin(), state.end(), values_.begin() + model_.first_next());
    next = state;
    return;
  }
  derive(derivations_, random);
  next.assign(values_.begin() + model_.first_next(), values_.end());
}

Number Simulator::step_reward(SimulationRandom* random) const {
  if (!model_.reward || stays_) return exact_number(0);
  if (model_.nodes[*model_.reward].kind != NodeKind::floating)
    return exact_number(evaluate_rational(model_.nodes, *model_.reward, values_, random));
  return inexact_number(evaluate_real(model_.nodes, *model_.reward, values_, random));
}

Rational Simulator::reward(const StateValues& state, const ActionValues& action,
                           const StateValues& next) const {
  if (!model_.reward || terminated(state)) return {};
  const SourcePlace& place = model_.nodes.place(*model_.reward);
  if (model_.nodes[*model_.reward].kind == NodeKind::floating)
    throw RddlError(place, "the reward is a floating-point number: expected an exact one here");
  if (model_.nodes.is_random(*model_.reward))
    throw RddlError(place, "the reward is random: expected a deterministic domain here");
  load(state, action);
  derive(derivations_, nullptr);
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
