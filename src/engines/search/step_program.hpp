#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/engines/search/circuit_program.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"

namespace bnnplan::engines {

// What a StepSolver computes for a step, compiled once per problem and run for 256 (state, action) pairs at a
// time, for all pairs whose step leaves no choice; the other pairs are marked. Immutable; threads may share
// one, each with its own Workspace.
class StepProgram {
 public:
  // Keeps a reference to the problem.
  explicit StepProgram(const PackedProblem& problem);

  // False if there is nothing to solve in a step, or if nearly every step leaves a choice.
  bool useful() const { return useful_; }
  std::size_t operation_count() const { return program_.operation_count(); }

  // A pair; `learned` has the network's bits, the trie node if there is one, and 0 elsewhere.
  struct Pair {
    const std::uint64_t *state, *action, *learned;
  };
  class Workspace {
   public:
    // For pair i, after run(): open if the step solver must be asked; single if it has exactly one next state
    // that is useful (a step may start there, or it satisfies the goal); otherwise it has none.
    bool open(std::size_t i) const { return (open_.words[i / 64] >> (i % 64) & 1) != 0; }
    bool single(std::size_t i) const { return (single_.words[i / 64] >> (i % 64) & 1) != 0; }
    std::uint64_t open_word(std::size_t word) const { return open_.words[word]; }
    std::uint64_t single_word(std::size_t word) const { return single_.words[word]; }
    // For single pairs.
    const std::uint64_t* next(std::size_t i) const { return next_.data() + i * state_words_; }

   private:
    friend class StepProgram;
    std::vector<Lanes> places_;
    Lanes open_, single_;
    Words next_;
    std::size_t state_words_ = 0;
  };

  // Takes at most lane_count pairs. Requires useful(). Pairs that violate a constraint over state and action
  // have no next state.
  void run(std::span<const Pair> pairs, Workspace& workspace) const;

 private:
  // The bits of a word that the program reads, and the places they go to.
  struct Loaded {
    std::uint32_t bit, place;
  };
  struct Word {
    std::size_t index;
    std::vector<Loaded> bits;
  };
  // Bit `bit` of a word of the next state is this output.
  struct Stored {
    std::uint32_t bit;
    std::size_t output;
  };
  struct StoredWord {
    std::size_t index;
    std::vector<Stored> bits;
  };

  void load(std::span<const Pair> pairs, const std::uint64_t* Pair::*words, const std::vector<Word>& used,
            std::size_t block, Lanes* places) const;
  void store(std::span<const Pair> pairs, std::size_t block, Workspace& workspace) const;

  const PackedProblem& problem_;
  bool useful_ = false;
  CircuitProgram program_;
  std::vector<Word> action_, state_, learned_;
  std::vector<StoredWord> next_;
};

}  // namespace bnnplan::engines
