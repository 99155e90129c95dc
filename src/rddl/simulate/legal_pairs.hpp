#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "bnnplan/rddl/ground/bit_layout.hpp"
#include "bnnplan/rddl/simulate/enumeration.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan::rddl {

struct EnumerationLimits {
  std::size_t assignments = 100'000'000;  // partial ones visited
  std::size_t actions = 1'000'000;        // joint actions that may be legal in some state
};

// The joint actions of a model; find() returns those that are legal in a state.
class LegalActions {
 public:
  // Enumerates all joint actions that are not illegal in every state. Throws InputError if there are more
  // than the limits allow. Keeps a reference to the simulator.
  LegalActions(Simulator& simulator, const BitLayout& layout, const EnumerationLimits& limits = {});

  const std::vector<ActionValues>& candidates() const { return candidates_; }

  // The numbers of the candidates that are legal in this state.
  void find(const StateValues& state, std::vector<std::uint32_t>& legal) const;

 private:
  void find_groups();

  Simulator& simulator_;
  std::vector<ActionValues> candidates_;
  // For each constraint that depends on the state: candidates with the same values of the actions it reads
  // form one group, and the constraint is evaluated once per group. Empty if it reads intermediate variables,
  // or if groups would take too much memory.
  struct Groups {
    std::vector<std::uint32_t> of_candidate;
    mutable std::vector<signed char> holds;  // in the current state; -1: not known yet
  };
  std::vector<Groups> groups_;
};

// Calls visit(state) for every state within the ranges that satisfies all invariants and may satisfy all
// constraints. Returns how many more satisfy the invariants: in those some constraint is false for every
// action. Throws InputError if this takes more than the limits allow.
AssignmentCount for_each_state(Simulator& simulator, const BitLayout& layout, const EnumerationLimits& limits,
                               const std::function<void(const StateValues&)>& visit);

}  // namespace bnnplan::rddl
