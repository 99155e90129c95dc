#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/engines/search/step_program.hpp"
#include "bnnplan/engines/search/step_solver.hpp"
#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"
#include "bnnplan/problem/step_weights.hpp"

namespace bnnplan::engines {

// The violation and the cost of a sequence of actions. It is a plan if the violation is 0.
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

// Replays sequences of actions, many variants of one at a time, and measures violations instead of stopping
// at them.
class PlanReplay {
 public:
  PlanReplay(const Problem& problem, LimitWatch& watch);  // keeps references

  std::uint32_t horizon() const { return horizon_; }
  std::uint32_t action_bits() const { return problem_.action.bit_count(); }
  const std::vector<std::uint32_t>& free_initial() const { return free_initial_; }

  // The sequence to which changes are made. Initially all action bits and free bits are 0.
  void apply(const Change& change);
  void clear();
  bool action_bit(std::uint32_t step, std::uint32_t bit) const {
    return bit_of(actions_.data() + step * problem_words_.action, bit);
  }
  bool initial_bit(std::uint32_t bit) const { return bit_of(states_.data(), bit); }

  // Replays the current sequence; call it after changes, before the functions below.
  Standing replay();
  // The standing after each change on its own; hopeless if a limit was reached.
  void evaluate(std::span<const Change> changes, std::vector<Standing>& standings);

  // The sequence as a plan with all its states, unless some step has no next state.
  std::optional<Plan> plan();

  std::uint64_t evaluations() const { return evaluations_; }

 private:
  // Conditions as distances: for single bits the number of wrong ones, for other rows the amount missing.
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
  Problem rest_;  // without the constraints that are measured
  PackedProblem packed_;
  StepProgram program_;
  StepSolver solver_;
  std::uint32_t horizon_;
  StepWeights weights_ = step_weights(problem_);
  WordCounts problem_words_;
  std::vector<std::uint32_t> free_initial_;
  Distance constraints_, goal_;

  Words actions_, states_;  // of all steps; one more state than actions
  // For each step, the standing of the steps before it; one more entry: of all steps and the goal.
  std::vector<Standing> before_;
  // The step without a next state; the horizon if there is no such step.
  std::uint32_t dead_;
  std::vector<Variant> variants_;         // those that differ from the sequence in this step
  Words from_, action_, learned_, next_;  // for each variant
  std::vector<std::uint8_t> has_next_;
  Words inputs_, outputs_;
  Workspace workspace_;
  StepProgram::Workspace lanes_;
  std::vector<StepProgram::Pair> pairs_;
  Words found_;
  std::uint64_t evaluations_ = 0;
};

}  // namespace bnnplan::engines
