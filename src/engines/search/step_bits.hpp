#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// Consecutive numbers for the bits of a step: action, state, auxiliary. A next-state bit has the number of
// its state bit, since a permutation must treat the two alike.
struct StepBits {
  explicit StepBits(const Problem& problem)
      : first_state(problem.action.bit_count()),
        first_auxiliary(first_state + problem.state.bit_count()),
        count(first_auxiliary + problem.auxiliary.bit_count()) {}

  std::uint32_t number(Bit bit) const {
    if (bit.place == Place::action) return bit.index;
    return bit.index + (bit.place == Place::auxiliary ? first_auxiliary : first_state);
  }

  std::uint32_t first_state, first_auxiliary, count;
};

// The image of each bit, by number.
using BitPermutation = std::vector<std::uint32_t>;

}  // namespace bnnplan::engines
