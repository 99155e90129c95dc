#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "rddl/ground/evaluate.hpp"
#include "rddl/ground/ground.hpp"

namespace bnnplan {

// Values of all state (action) variables in the order of the model: Booleans 0 and 1, objects their numbers.
using StateValues = std::vector<std::int64_t>;
using ActionValues = std::vector<std::int64_t>;

// Runs a ground model. Everything is const and without hidden state but for a scratch vector: use one
// simulator per thread.
//
//   Simulator simulator("navigation.rddl", "navigation_3x3.rddl");
//   StateValues state = simulator.initial_state();
//   ActionValues action = simulator.default_action();
//   if (simulator.legal(state, action)) state = simulator.step(state, action);
class Simulator {
 public:
  // Both throw InputError (of the files) if they are wrong, or if the initial state breaks an invariant.
  Simulator(const std::filesystem::path& domain, const std::filesystem::path& instance);
  explicit Simulator(GroundModel model);

  const GroundModel& model() const { return model_; }

  StateValues initial_state() const;
  ActionValues default_action() const;

  // Whether all constraints and preconditions hold and at most max-nondef-actions differ from their default.
  bool legal(const StateValues& state, const ActionValues& action) const;
  // Why not: "constraint at file:line:column", or "" if it is legal.
  std::string illegal_because(const StateValues& state, const ActionValues& action) const;

  // Why no action at all is legal in this state: the first constraint that is false whatever the action is,
  // or "". (Several constraints that only together leave no action are not seen.)
  std::string dead_because(const StateValues& state) const;

  // The state after the step, whether the action is legal or not. Throws RddlError where arithmetic goes
  // wrong.
  StateValues step(const StateValues& state, const ActionValues& action) const;
  // The same into an existing vector.
  void step(const StateValues& state, const ActionValues& action, StateValues& next) const;

  // Of one step; 0 if the domain has no reward. Requires next == step(state, action), or what a learned model
  // takes for it.
  Rational reward(const StateValues& state, const ActionValues& action, const StateValues& next) const;

  bool goal_reached(const StateValues& state) const;             // all goals hold; true if there are none
  std::string broken_invariant(const StateValues& state) const;  // "invariant at file:line:column" or ""

 private:
  void load(const StateValues& state, const ActionValues& action) const;
  void derive() const;
  const GroundCondition* broken_constraint(const StateValues& state, const ActionValues& action) const;
  bool too_many_actions(const ActionValues& action) const;

  GroundModel model_;
  bool constraints_use_intermediate_ = false;
  std::vector<Interval> action_ranges_;  // per slot: what is known without state and action
  mutable std::vector<std::int64_t> values_;
};

}  // namespace bnnplan
