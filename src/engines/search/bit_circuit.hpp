#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "bnnplan/base/linear_row.hpp"

namespace bnnplan::engines {

// A circuit of two-input gates over input bits, built gate by gate. Equal gates are shared, constants are
// folded, and every gate carries its values on a fixed set of random inputs, so that the builder can ask at
// once how often something is true.
class BitCircuit {
 public:
  // A gate or its negation: 2 * gate + negated. Gate 0 is the constant 0.
  using Wire = std::uint32_t;
  static constexpr Wire zero = 0, one = 1;

  struct Gate {
    enum class Kind : std::uint8_t { constant, input, both, differ } kind;
    Wire a, b;  // for an input: a is its number
  };
  struct Summand {
    std::int64_t coefficient;
    Wire wire;
  };

  static constexpr std::size_t sample_words = 8;
  using Samples = std::array<std::uint64_t, sample_words>;

  BitCircuit();

  Wire input();  // a new one, numbered from 0
  static Wire negation(Wire a) { return a ^ 1; }
  Wire both(Wire a, Wire b);
  Wire either(Wire a, Wire b) { return negation(both(negation(a), negation(b))); }
  Wire differ(Wire a, Wire b);

  // sum coefficient * wire compared with bound. Requires sums and bounds that fit into 62 bits.
  Wire holds(std::span<const Summand> summands, Comparison comparison, std::int64_t bound);
  Wire at_least(std::span<const Summand> summands, std::int64_t bound);

  // The values on random inputs, one per bit.
  Samples samples(Wire wire) const;

  const std::vector<Gate>& gates() const { return gates_; }  // inputs of a gate precede it
  std::size_t input_count() const { return inputs_; }

 private:
  Wire add(Gate gate, const Samples& samples);
  Wire sum_at_least(std::span<const Summand> positive, std::int64_t bound);

  std::vector<Gate> gates_;
  std::vector<Samples> samples_;                                  // by gate
  std::array<std::unordered_map<std::uint64_t, Wire>, 2> known_;  // gates by their inputs, for each kind
  std::size_t inputs_ = 0;
  std::uint64_t random_ = 1;
};

}  // namespace bnnplan::engines
