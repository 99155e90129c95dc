#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/random.hpp"
#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/ground/ground.hpp"
#include "bnnplan/rddl/simulate/expression_code.hpp"

namespace bnnplan::rddl {

// Values of all state (action) variables in the order of the model: Booleans 0 and 1, objects their numbers.
using StateValues = std::vector<std::int64_t>;
using ActionValues = std::vector<std::int64_t>;

// Runs a ground model. Non-const members use the simulator's own values: one simulator per thread, or a copy.
//
//   Simulator simulator("navigation.rddl", "navigation_3x3.rddl");
//   StateValues state = simulator.initial_state();
//   ActionValues action = simulator.default_action();
//   if (simulator.legal(state, action)) state = simulator.step(state, action);
class Simulator {
 public:
  // Both throw InputError if the files are invalid, or if the initial state breaks an invariant.
  Simulator(const std::filesystem::path& domain, const std::filesystem::path& instance,
            std::string_view instance_name = "");
  explicit Simulator(GroundModel model);

  const GroundModel& model() const { return model_; }

  StateValues initial_state() const;
  ActionValues default_action() const;

  // Whether all constraints and preconditions hold and at most max-nondef-actions differ from their default.
  bool legal(const StateValues& state, const ActionValues& action);
  // What constraints and max-nondef-actions require of the action alone.
  bool legal_by_itself(const ActionValues& action);

  // For many actions in one state: the constraints that depend on the state, by index.
  std::size_t state_constraints() const { return depending_on_state_.size(); }
  // Whether it reads intermediate variables, and the action variables that it reads itself.
  bool reads_intermediates(std::size_t constraint) const;
  std::vector<std::uint32_t> actions_read(std::size_t constraint) const;
  // Whether it holds for the state and action that were loaded last. If it reads intermediate variables, they
  // must have been derived since.
  bool state_constraint_holds(std::size_t constraint) { return holds(entries_.each_on_state[constraint]); }
  void load(const StateValues& state, const ActionValues& action);
  void derive_for_constraints() { derive(entries_.for_constraints, nullptr); }
  // Why not: "constraint at file:line:column", or "" if it is legal.
  std::string illegal_because(const StateValues& state, const ActionValues& action);

  // Why no action at all is legal in this state: the first constraint that is false for every action, or "".
  // (Constraints that only together rule out all actions are not detected.)
  std::string dead_because(const StateValues& state);

  // Whether the episode is over in this state: then all actions are legal, the state stays the same, and the
  // reward is 0.
  bool terminated(const StateValues& state);

  // Whether states or rewards are drawn at random; then a step needs a source of random numbers.
  bool is_random() const { return is_random_; }

  // The state after the step, whether the action is legal or not. Throws RddlError for arithmetic errors, and
  // if something must be drawn without `random`.
  StateValues step(const StateValues& state, const ActionValues& action);
  // The same into an existing vector.
  void step(const StateValues& state, const ActionValues& action, StateValues& next,
            SimulationRandom* random = nullptr);

  // Of the last step; an exact fraction if the domain's reward is one.
  Number step_reward(SimulationRandom* random = nullptr);
  // Of the last step: the value of each intermediate variable.
  std::span<const std::int64_t> intermediate_values() const {
    return std::span(values_).subspan(model_.first_intermediate(), model_.intermediate.size());
  }

  // Of one step; 0 if the domain has no reward. Requires next == step(state, action), or a learned model's
  // prediction of it. Throws RddlError if the reward is not an exact fraction, or is random.
  Rational reward(const StateValues& state, const ActionValues& action, const StateValues& next);

  bool goal_reached(const StateValues& state);             // all goals hold; true if there are none
  std::string broken_invariant(const StateValues& state);  // "invariant at file:line:column" or ""
  bool invariants_hold(const StateValues& state);

 private:
  // A definition with the properties that every step checks.
  struct Derivation {
    std::uint32_t slot;
    NodeId node;
    bool real, random, observed;
  };

  // Addresses in code_.
  struct Entries {
    std::uint32_t derivations = 0, for_constraints = 0, constraints = 0, on_action_alone = 0;
    std::vector<std::uint32_t> each_on_state;  // of depending_on_state_
    std::uint32_t invariants = 0;
    std::optional<std::uint32_t> termination;
    std::optional<std::uint32_t> reward;  // scaled, or a real
    std::int64_t reward_scale = 0;        // 0: a real
  };

  void make_code();
  bool holds(std::uint32_t address) { return code_.run(address, model_.nodes, values_, nullptr) != 0; }
  void derive(std::uint32_t address, SimulationRandom* random);
  void derive_without_random();
  void find_random();
  const GroundCondition* broken_constraint(const StateValues& state, const ActionValues& action);
  bool too_many_actions(const ActionValues& action) const;

  GroundModel model_;
  std::vector<Derivation> derivations_;                       // of all definitions, in their order
  std::vector<Derivation> for_constraints_;                   // those that constraints depend on
  std::vector<NodeId> depending_on_state_, on_action_alone_;  // constraints
  ExpressionCode code_;
  Entries entries_;
  bool is_random_ = false, draws_ = false;  // draws_ also counts observations
  bool stays_ = false;                      // the last step started after the end of the episode
  std::vector<Interval> action_ranges_;     // per slot: what is known without state and action
  std::vector<std::int64_t> values_;        // the frame of code_
};

}  // namespace bnnplan::rddl
