// Tables of partial sums (Arlazarov, Dinic, Kronrod and Faradzev, 1970: "the four Russians"): 4 inputs have
// 16 patterns, and for each of them the table holds the sum of the four weights with these signs, for 64
// neurons at a time. With p the inputs that are +1,
//
//   T[0] = -(w0 + w1 + w2 + w3),   T[p] = T[p without its lowest bit] + 2 w(lowest bit)
//
// Size: 4 bytes per weight. Rebuilt for every update, which takes a few microseconds while the samples of an
// update take hundreds.
#include "bnnplan/learn/sum_table.hpp"

#include <algorithm>
#include <bit>

namespace bnnplan::learning {

void SumTable::resize(std::size_t neurons, std::size_t inputs) {
  blocks_ = (inputs + sum_block_inputs - 1) / sum_block_inputs;
  entries_.resize(chunks_of(neurons) * blocks_ * sum_block_bytes);
}

void SumTable::fill(const LaneMatrix& signs, std::size_t chunk) {
  const std::size_t first = chunk * sum_chunk, count = std::min(sum_chunk, signs.rows() - first);
  for (std::size_t block = 0; block < blocks_; ++block) {
    // The padding of a row of weights is 0, so four can be read everywhere.
    std::int8_t weights[sum_block_inputs][sum_chunk] = {};
    const float* from = signs.row(first) + block * sum_block_inputs;
    for (std::size_t n = 0; n < count; ++n, from += signs.stride()) {
      for (std::size_t i = 0; i < sum_block_inputs; ++i)
        weights[i][n] = static_cast<std::int8_t>(static_cast<int>(from[i]));
    }
    std::int8_t* table = entries_.data() + (chunk * blocks_ + block) * sum_block_bytes;
    for (std::size_t n = 0; n < sum_chunk; ++n)
      table[n] = static_cast<std::int8_t>(-(weights[0][n] + weights[1][n] + weights[2][n] + weights[3][n]));
    for (std::size_t pattern = 1; pattern < std::size_t{1} << sum_block_inputs; ++pattern) {
      const std::int8_t* before = table + (pattern & (pattern - 1)) * sum_chunk;
      const std::int8_t* added = weights[std::countr_zero(pattern)];
      std::int8_t* to = table + pattern * sum_chunk;
      for (std::size_t n = 0; n < sum_chunk; ++n) to[n] = static_cast<std::int8_t>(before[n] + 2 * added[n]);
    }
  }
}

void patterns_of_bits(const std::uint64_t* words, std::size_t bits, std::uint8_t* patterns) {
  const std::size_t blocks = (bits + sum_block_inputs - 1) / sum_block_inputs;
  constexpr std::size_t blocks_in_word = 64 / sum_block_inputs;
  for (std::size_t block = 0; block < blocks; ++block)
    patterns[block] = static_cast<std::uint8_t>(
        (words[block / blocks_in_word] >> (block % blocks_in_word * sum_block_inputs)) & 15u);
}

}  // namespace bnnplan::learning
