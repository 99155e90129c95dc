#pragma once

#include <cstddef>
#include <vector>

#include "bnnplan/maxsat/core_oracle.hpp"

namespace bnnplan::testing {

// New variables that will be assumed.
inline std::vector<Lit> new_inputs(maxsat::CoreOracle& oracle, std::size_t count) {
  std::vector<Lit> inputs;
  for (std::size_t i = 0; i < count; ++i) {
    inputs.push_back(oracle.new_variable());
    oracle.freeze(inputs.back());
  }
  return inputs;
}

// Assumptions: the inputs as in `bits`.
inline std::vector<Lit> fixed_inputs(const std::vector<Lit>& inputs, unsigned bits) {
  std::vector<Lit> assumptions;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    assumptions.push_back((bits >> i & 1u) != 0 ? inputs[i] : ~inputs[i]);
  return assumptions;
}

}  // namespace bnnplan::testing
