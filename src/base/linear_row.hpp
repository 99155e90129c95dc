#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/base/literal.hpp"

namespace bnnplan {

enum class Comparison : std::uint8_t { at_most, at_least, equal };

struct WeightedLit {
  std::int64_t coefficient = 0;
  Lit literal;
  friend bool operator==(const WeightedLit&, const WeightedLit&) = default;
};

// sum of coefficient * literal  (<=, >=, ==)  bound, where a true literal counts 1. Any coefficients;
// repeated and opposite literals are allowed.
struct LinearRow {
  std::vector<WeightedLit> terms;
  Comparison comparison = Comparison::at_least;
  std::int64_t bound = 0;
  friend bool operator==(const LinearRow&, const LinearRow&) = default;
};

// The canonical neuron of the whole code base: output <-> at least `threshold` of `inputs` are true. The
// inputs are literals of distinct variables, none of them the output's. Any threshold is allowed: 0 or less
// means constant true, more than the number of inputs constant false.
struct ReifiedAtLeast {
  Lit output;
  std::vector<Lit> inputs;
  std::int32_t threshold = 0;
  friend bool operator==(const ReifiedAtLeast&, const ReifiedAtLeast&) = default;
};

}  // namespace bnnplan
