#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bnnplan/network/kernels.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan {

// A cache line: a vector of these has the alignment that the widest loads need.
struct alignas(64) CacheLine {
  std::uint8_t bytes[64];
};

// The weights of one layer in the layout of the table kernels. Requires `inputs` weights in every neuron, and
// inputs <= kMostTableInputs.
class TableWeights {
 public:
  // Sums of wide layers have 16 bits, the highest of which is the sign.
  static constexpr std::size_t kMostTableInputs = 32767;

  // The size of the table in bytes.
  static std::size_t bytes(std::size_t inputs, std::size_t neurons);

  TableWeights() = default;
  TableWeights(const Layer& layer, std::size_t inputs);

  TableView view() const;

 private:
  std::vector<CacheLine> counts_;
  std::vector<std::uint8_t> narrow_starts_;
  std::vector<std::uint16_t> wide_starts_;
  std::size_t blocks_ = 0;
  std::size_t neurons_ = 0;
};

// The weights of one layer in the layout of the popcount kernels. Requires `inputs` weights in every neuron.
class PopcountWeights {
 public:
  PopcountWeights() = default;
  PopcountWeights(const Layer& layer, std::size_t inputs);

  PopcountView view() const;

 private:
  std::vector<std::uint64_t> weights_;
  std::vector<std::uint64_t> present_;  // empty if no non-constant neuron has a weight of 0
  std::vector<std::int64_t> allowed_;
  std::size_t words_ = 0;
  std::size_t neurons_ = 0;
};

}  // namespace bnnplan
