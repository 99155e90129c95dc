#pragma once

#include <cstddef>
#include <cstdint>

#include "bnnplan/learn/lane_matrix.hpp"
#include "bnnplan/learn/train_kernels.hpp"

namespace bnnplan::learning {

// The sums of a layer whose weights are -1, 0 and +1, for inputs that are -1 and +1: the input of
// TrainKernels::add_up.
class SumTable {
 public:
  void resize(std::size_t neurons, std::size_t inputs);

  // Rebuilds the part of 64 neurons. signs[neuron][input], of the size given to resize().
  void fill(const LaneMatrix& signs, std::size_t chunk);
  static constexpr std::size_t chunks_of(std::size_t neurons) {
    return (neurons + sum_chunk - 1) / sum_chunk;
  }

  const std::int8_t* data() const { return entries_.data(); }
  std::size_t blocks() const { return blocks_; }

 private:
  std::size_t blocks_ = 0;
  LineVector<std::int8_t> entries_;  // [chunk of 64 neurons][block of 4 inputs][pattern][neuron]
};

// The patterns of a row of bits, one byte per 4 bits: the inputs of a first layer. Bits beyond `bits` must be
// 0.
void patterns_of_bits(const std::uint64_t* words, std::size_t bits, std::uint8_t* patterns);

}  // namespace bnnplan::learning
