#pragma once

#include <cstddef>
#include <cstdint>

#include "learn/lane_matrix.hpp"

namespace bnnplan {

// The sums of a layer whose weights are -1, 0 and +1, for inputs that are -1 and +1: what TrainKernels::add_up reads.
class SumTable {
 public:
  // Renews all of it. signs[neuron][input].
  void fill(const LaneMatrix& signs);

  const std::int8_t* data() const { return entries_.data(); }
  std::size_t blocks() const { return blocks_; }

 private:
  std::size_t blocks_ = 0;
  LineVector<std::int8_t> entries_;  // [chunk of 64 neurons][block of 4 inputs][pattern][neuron]
};

// Patterns of a row of bits, one byte for 4 of them: the inputs of a first layer. Bits beyond `bits` are 0.
void patterns_of_bits(const std::uint64_t* words, std::size_t bits, std::uint8_t* patterns);

}  // namespace bnnplan
