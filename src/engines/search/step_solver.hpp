#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/engines/search/bit_search.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"

namespace bnnplan::engines {

// Solves what a step leaves open once state, action and network outputs are known: the next-state bits of
// known transitions, and auxiliary variables. One object per thread.
class StepSolver {
 public:
  StepSolver(const PackedProblem& problem, LimitWatch& watch);

  // True if a step needs no solving: the learned bits are the next state.
  bool trivial() const { return trivial_; }

  // Appends every next state that completes the step, each once, to `found` (state_words each), at most
  // `most` of them. `learned` has the network's bits and 0 elsewhere. Throws LimitReached.
  void append_successors(const std::uint64_t* state, const std::uint64_t* action,
                         const std::uint64_t* learned, Words& found,
                         std::size_t most = std::numeric_limits<std::size_t>::max());

  // Auxiliary values that make the step from `state` to `next` by `action` valid; nothing if there are none.
  std::optional<BitValues> auxiliary_values(const std::uint64_t* state, const std::uint64_t* action,
                                            const std::uint64_t* next);

 private:
  bool start(const std::uint64_t* state, const std::uint64_t* action, const std::uint64_t* next);

  const PackedProblem& problem_;
  bool trivial_;
  BitSearch search_;                      // variables: auxiliary bits, then unlearned next-state bits
  std::vector<std::int64_t> known_;       // by open constraint
  std::vector<std::uint32_t> auxiliary_;  // variables of search_
  std::vector<std::uint32_t> next_;       // variables of search_, in the order of problem_.unlearned
};

}  // namespace bnnplan::engines
