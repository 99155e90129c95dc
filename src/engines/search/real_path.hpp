#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/engines/search/canonical_state.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/engines/search/step_solver.hpp"

namespace bnnplan::engines {

// Follows the canonical states of a plan and works out what they stand for, from a real initial state on.
class RealPath {
 public:
  // Keeps references. `first` is the canonical form of an initial state.
  RealPath(const PackedProblem& problem, const CanonicalStates& symmetry, const std::uint64_t* first);

  // The step by an action from a canonical state, the last one, to a state whose canonical form is `next`.
  void follow(StepSolver& steps, const std::uint64_t* state, const std::uint64_t* action,
              const std::uint64_t* next);

  const Words& state() const { return state_; }    // the real one
  const Words& action() const { return action_; }  // of the last step

 private:
  void find_initial_owners(const std::uint64_t* first);
  Words successor(StepSolver& steps, const std::uint64_t* state, const std::uint64_t* action,
                  const std::uint64_t* next);
  Words real_bits(const std::uint64_t* words, std::size_t count, bool of_state) const;

  const PackedProblem& problem_;
  const CanonicalStates& symmetry_;
  CanonicalStates::Order owner_;  // by group: which real block each block of the canonical state is
  Words state_, action_;
};

}  // namespace bnnplan::engines
