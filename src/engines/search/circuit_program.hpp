#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/base/processor.hpp"
#include "bnnplan/engines/search/bit_circuit.hpp"

namespace bnnplan::engines {

// One bit of each of 256 evaluations of a circuit: bit i % 64 of word i / 64 belongs to evaluation i.
inline constexpr std::size_t lane_words = 4;
inline constexpr std::size_t lane_count = 64 * lane_words;
struct alignas(32) Lanes {
  std::uint64_t words[lane_words];
};

// A circuit as a list of operations on numbered places in memory, each for 256 evaluations at once.
// Immutable; threads may share one, each with its own places.
class CircuitProgram {
 public:
  CircuitProgram() = default;
  // Keeps only what the outputs need.
  CircuitProgram(const BitCircuit& circuit, std::span<const BitCircuit::Wire> outputs);

  struct Input {
    std::uint32_t number;  // of the circuit's input
    std::uint32_t place;   // where its values have to be before run()
  };
  std::span<const Input> inputs() const { return inputs_; }

  std::size_t place_count() const { return place_count_; }
  std::size_t operation_count() const { return operations_.size(); }

  void run(Lanes* places, InstructionSet set = best_instruction_set()) const;

  std::uint64_t output(const Lanes* places, std::size_t index, std::size_t word) const {
    return places[outputs_[index].place].words[word] ^ outputs_[index].sign;
  }

 private:
  struct Operation {
    std::uint32_t to, a, b;
    std::uint8_t negate_a, negate_b;
    bool differ;  // else both
  };
  struct Output {
    std::uint32_t place;
    std::uint64_t sign;  // all ones if negated
  };

  std::vector<Input> inputs_;
  std::vector<Operation> operations_;
  std::vector<Output> outputs_;
  std::size_t place_count_ = 1;  // place 0 holds the constant 0
};

}  // namespace bnnplan::engines
