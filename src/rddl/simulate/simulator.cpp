// The simulator: load state and action into the value vector, evaluate the definitions in their order, read
// the next state from its slots. Names, objects and non-fluents were all resolved by grounding; what every
// step evaluates is code (expression_code.hpp).
#include "bnnplan/rddl/simulate/simulator.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/rddl/simulate/code_builder.hpp"

namespace bnnplan::rddl {

Simulator::Simulator(const std::filesystem::path& domain, const std::filesystem::path& instance,
                     std::string_view instance_name)
    : Simulator(read_ground_model(domain, instance, instance_name)) {}

Simulator::Simulator(GroundModel model) : model_(std::move(model)) {
  find_random();
  make_code();
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

void Simulator::load(const StateValues& state, const ActionValues& action) {
  std::copy(state.begin(), state.end(), values_.begin());
  std::copy(action.begin(), action.end(), values_.begin() + model_.first_action());
}

// Finds what constraints depend on. It must not be random: constraints decide what is legal before anything
// is drawn.
void Simulator::find_random() {
  const NodePool& nodes = model_.nodes;
  std::vector<bool> needed(model_.slot_count(), false), random(model_.slot_count(), false);
  for (const GroundDefinition& definition : model_.order) {
    random[definition.slot] = nodes.is_random(definition.node);
    draws_ = draws_ || random[definition.slot];
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
    const GroundVariable& variable = model_.variable(definition.slot);
    derivations_.push_back({definition.slot, definition.node, variable.kind == ValueKind::real,
                            nodes.is_random(definition.node), variable.observed});
    if (needed[definition.slot]) for_constraints_.push_back(derivations_.back());
  }
}

void Simulator::make_code() {
  CodeBuilder builder(model_.nodes, model_.slot_count());
  const auto definitions = [&](const std::vector<Derivation>& derivations) {
    std::vector<CodeBuilder::Definition> list;
    for (const Derivation& derivation : derivations)
      list.push_back({derivation.slot, derivation.node, derivation.real});
    return builder.add_definitions(list);
  };
  const auto conjunction = [&](const std::vector<GroundCondition>& conditions) {
    std::vector<NodeId> nodes;
    for (const GroundCondition& condition : conditions) nodes.push_back(condition.node);
    return builder.add_conjunction(nodes);
  };
  entries_.derivations = definitions(derivations_);
  entries_.for_constraints = definitions(for_constraints_);
  entries_.constraints = conjunction(model_.constraints);
  entries_.on_action_alone = builder.add_conjunction(on_action_alone_);
  for (const NodeId node : depending_on_state_) entries_.each_on_state.push_back(builder.add_truth(node));
  entries_.invariants = conjunction(model_.invariants);
  if (model_.termination) entries_.termination = builder.add_truth(model_.termination->node);
  if (model_.reward && model_.nodes[*model_.reward].kind == NodeKind::floating) {
    entries_.reward = builder.add_real(*model_.reward);
  } else if (model_.reward) {
    if (const auto scaled = builder.add_scaled(*model_.reward)) {
      entries_.reward = scaled->address;
      entries_.reward_scale = scaled->scale;
    }
  }
  code_ = builder.finish();
  values_.assign(code_.frame_size(), 0);
  code_.write_constants(values_);
}

void Simulator::derive(std::uint32_t address, SimulationRandom* random) {
  try {
    if (random == nullptr && draws_ && address == entries_.derivations) return derive_without_random();
    code_.run(address, model_.nodes, values_, random);
  } catch (const NotANumber& error) {
    throw RddlError(model_.variable(error.slot).place,
                    fmt::format("the value of '{}' is not a number", model_.slot_name(error.slot)));
  }
}

// Random observations are left out, other random definitions are refused.
void Simulator::derive_without_random() {
  for (const Derivation& derivation : derivations_) {
    if (derivation.random && derivation.observed) continue;
    if (derivation.random) {
      throw RddlError(model_.variable(derivation.slot).place,
                      fmt::format("'{}' is random: expected a deterministic domain here",
                                  model_.slot_name(derivation.slot)));
    }
    if (!derivation.real) {
      values_[derivation.slot] = evaluate_integer(model_.nodes, derivation.node, values_);
      continue;
    }
    const double value = evaluate_real(model_.nodes, derivation.node, values_);
    if (std::isnan(value)) throw NotANumber{derivation.slot};
    values_[derivation.slot] = value_of_real(value);
  }
}

const GroundCondition* Simulator::broken_constraint(const StateValues& state, const ActionValues& action) {
  if (terminated(state)) return nullptr;
  load(state, action);
  derive(entries_.for_constraints, nullptr);
  if (holds(entries_.constraints)) return nullptr;
  for (const GroundCondition& constraint : model_.constraints) {
    if (!evaluate_truth(model_.nodes, constraint.node, values_)) return &constraint;
  }
  return nullptr;
}

bool Simulator::terminated(const StateValues& state) {
  if (!model_.termination) return false;
  std::copy(state.begin(), state.end(), values_.begin());
  return holds(*entries_.termination);
}

bool Simulator::too_many_actions(const ActionValues& action) const {
  if (!model_.max_nondefault_actions) return false;
  std::int64_t changed = 0;
  for (std::size_t i = 0; i < action.size(); ++i) changed += action[i] != model_.action[i].initial ? 1 : 0;
  return changed > *model_.max_nondefault_actions;
}

bool Simulator::legal(const StateValues& state, const ActionValues& action) {
  return broken_constraint(state, action) == nullptr && (!too_many_actions(action) || terminated(state));
}

bool Simulator::legal_by_itself(const ActionValues& action) {
  std::copy(action.begin(), action.end(), values_.begin() + model_.first_action());
  return !too_many_actions(action) && holds(entries_.on_action_alone);
}

bool Simulator::reads_intermediates(std::size_t constraint) const {
  const auto slots = slots_of(model_.nodes, depending_on_state_[constraint]);
  return !slots.empty() && slots.back() >= model_.first_intermediate();
}

std::vector<std::uint32_t> Simulator::actions_read(std::size_t constraint) const {
  std::vector<std::uint32_t> actions;
  for (const std::uint32_t slot : slots_of(model_.nodes, depending_on_state_[constraint])) {
    if (slot >= model_.first_action() && slot < model_.first_intermediate())
      actions.push_back(slot - model_.first_action());
  }
  return actions;
}

std::string Simulator::illegal_because(const StateValues& state, const ActionValues& action) {
  if (const GroundCondition* broken = broken_constraint(state, action)) {
    return fmt::format("constraint at {}", to_string(broken->place));
  }
  return too_many_actions(action) && !terminated(state)
             ? fmt::format("max-nondef-actions = {}", *model_.max_nondefault_actions)
             : "";
}

std::string Simulator::dead_because(const StateValues& state) {
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

StateValues Simulator::step(const StateValues& state, const ActionValues& action) {
  StateValues next;
  step(state, action, next);
  return next;
}

void Simulator::step(const StateValues& state, const ActionValues& action, StateValues& next,
                     SimulationRandom* random) {
  load(state, action);
  stays_ = entries_.termination && holds(*entries_.termination);
  if (stays_) {
    std::copy(state.begin(), state.end(), values_.begin() + model_.first_next());
    next = state;
    return;
  }
  derive(entries_.derivations, random);
  next.assign(values_.begin() + model_.first_next(), values_.begin() + model_.slot_count());
}

Number Simulator::step_reward(SimulationRandom* random) {
  if (!model_.reward || stays_) return exact_number(0);
  if (entries_.reward && entries_.reward_scale == 0)
    return inexact_number(real_of_value(code_.run(*entries_.reward, model_.nodes, values_, random)));
  if (entries_.reward) {
    try {
      return exact_number(make_rational(code_.run(*entries_.reward, model_.nodes, values_, random, false),
                                        entries_.reward_scale));
    } catch (const OverflowError&) {  // the fraction itself may fit
    }
  }
  if (model_.nodes[*model_.reward].kind != NodeKind::floating)
    return exact_number(evaluate_rational(model_.nodes, *model_.reward, values_, random));
  return inexact_number(evaluate_real(model_.nodes, *model_.reward, values_, random));
}

Rational Simulator::reward(const StateValues& state, const ActionValues& action, const StateValues& next) {
  if (!model_.reward || terminated(state)) return {};
  const SourcePlace& place = model_.nodes.place(*model_.reward);
  if (model_.nodes[*model_.reward].kind == NodeKind::floating)
    throw RddlError(place, "the reward is a floating-point number: expected an exact one here");
  if (model_.nodes.is_random(*model_.reward))
    throw RddlError(place, "the reward is random: expected a deterministic domain here");
  load(state, action);
  derive(entries_.derivations, nullptr);
  std::copy(next.begin(), next.end(), values_.begin() + model_.first_next());
  return evaluate_rational(model_.nodes, *model_.reward, values_);
}

bool Simulator::goal_reached(const StateValues& state) {
  std::copy(state.begin(), state.end(), values_.begin());
  return std::all_of(model_.goals.begin(), model_.goals.end(), [&](const GroundCondition& goal) {
    return evaluate_truth(model_.nodes, goal.node, values_);
  });
}

bool Simulator::invariants_hold(const StateValues& state) {
  std::copy(state.begin(), state.end(), values_.begin());
  return holds(entries_.invariants);
}

std::string Simulator::broken_invariant(const StateValues& state) {
  std::copy(state.begin(), state.end(), values_.begin());
  for (const GroundCondition& invariant : model_.invariants) {
    if (!evaluate_truth(model_.nodes, invariant.node, values_)) {
      return fmt::format("invariant at {}", to_string(invariant.place));
    }
  }
  return "";
}

}  // namespace bnnplan::rddl
