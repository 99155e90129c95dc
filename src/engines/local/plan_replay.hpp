#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "engines/search/packed_problem.hpp"
#include "engines/search/step_program.hpp"
#include "engines/search/step_solver.hpp"
#include "problem/plan.hpp"
#include "problem/problem.hpp"
#include "problem/step_weights.hpp"

namespace bnnplan {

// What is wrong with a sequence of actions, and what it costs. It is a plan if nothing is.
struct Standing {
  std::int64_t violation = 0, cost = 0;
};

// A change of a sequence of actions: one or two bits of one step, or one free bit of the initial state.
struct Change {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t step = 0;                     // from 0
  std::uint32_t first = none, second = none;  // bits of the action
  std::uint32_t initial = none;               // bit of the initial state
};

// Replays sequences of actions, many variants of one at a time, and counts what they violate instead of ending
// there.
class PlanReplay {
 public:
  PlanReplay(const Problem& problem, LimitWatch& watch);  // keeps references

  std::uint32_t horizon() const { return horizon_; }
  std::uint32_t action_bits() const { return problem_.action.bit_count(); }
  const std::vector<std::uint32_t>& free_initial() const { return free_initial_; }

  // The sequence that changes are changes of. At first nothing is done and free bits are 0.
  void apply(const Change& change);
  void clear();
  bool action_bit(std::uint32_t step, std::uint32_t bit) const {
    return bit_of(actions_.data() + step * problem_words_.action, bit);
  }
  bool initial_bit(std::uint32_t bit) const { return bit_of(states_.data(), bit); }

  // Replays the sequence as it is now; to be called after changes, before what follows.
  Standing replay();
  // The standing after each change alone; hopeless if a limit was reached.
  void evaluate(std::span<const Change> changes, std::vector<Standing>& standings);

  // The sequence as a plan with all its states, unless one step has none.
  std::optional<Plan> plan();

  std::uint64_t evaluations() const { return evaluations_; }

 private:
  // Conditions as distances: of single bits how many are wrong, of other rows by how much.
  struct Distance {
    struct Word {
      std::size_t index;
      std::uint64_t mask, value;
    };
    std::vector<Word> words;
    std::vector<PackedConstraint> rows;
    void add(const LinearConstraint& constraint);
    std::int64_t of(const std::uint64_t* action, const std::uint64_t* state) const;
  };
  struct Variant {
    std::uint32_t number;  // of its change
    Standing standing;     // so far
  };
  struct WordCounts {
    std::size_t state, action;
  };

  static Problem without_distances(const Problem& problem);
  void step_all(std::size_t count);
  std::int64_t weight(std::uint32_t step) const { return weights_.of(static_cast<int>(step) + 1); }

  const Problem& problem_;
  LimitWatch& watch_;
  Problem rest_;  // without the constraints that are counted
  PackedProblem packed_;
  StepProgram program_;
  StepSolver solver_;
  std::uint32_t horizon_;
  StepWeights weights_ = step_weights(problem_);
  WordCounts problem_words_;
  std::vector<std::uint32_t> free_initial_;
  Distance constraints_, goal_;

  Words actions_, states_;         // of all steps; one state more
  std::vector<Standing> before_;   // of each step: of the steps before it; one more: of all, with the goal
  std::uint32_t dead_;             // the step without a next state; the horizon if there is none
  std::vector<Variant> variants_;  // that differ from the sequence in this step
  Words from_, action_, learned_, next_;  // of each of them
  std::vector<std::uint8_t> has_next_;
  Words inputs_, outputs_;
  Workspace workspace_;
  StepProgram::Workspace lanes_;
  std::vector<StepProgram::Pair> pairs_;
  Words found_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace bnnplan
