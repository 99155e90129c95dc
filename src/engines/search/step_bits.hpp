#pragma once

#include <cstdint>
#include <vector>

#include "problem/problem.hpp"

namespace bnnplan {

// The bits of a step numbered through: action, state, auxiliary. A next-state bit has the number of its state
// bit, which is what a permutation of them has to keep.
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

// What bit each bit becomes, by number.
using BitPermutation = std::vector<std::uint32_t>;

}  // namespace bnnplan
