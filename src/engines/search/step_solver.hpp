#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/bit_value.hpp"
#include "engines/search/bit_search.hpp"
#include "engines/search/packed_problem.hpp"

namespace bnnplan {

// Solves what one step leaves open once state, action and network outputs are known: the next-state bits of
// known transitions, and auxiliary variables. One thread each.
class StepSolver {
 public:
  StepSolver(const PackedProblem& problem, LimitWatch& watch);

  // Whether a step needs solving at all; if not, the learned bits are the next state.
  bool trivial() const { return trivial_; }

  // Appends every next state that completes the step, each once, to `found` (state_words each). `learned` has
  // the network's bits and 0 elsewhere. At most `most` of them. Throws LimitReached.
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
  std::vector<std::int64_t> known_;       // of each open constraint
  std::vector<std::uint32_t> auxiliary_;  // its variables
  std::vector<std::uint32_t> next_;       // likewise, in the order of problem_.unlearned
};

}  // namespace bnnplan
