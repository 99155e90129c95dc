// Weights in the two layouts of the kernels, explained in packed_inference.cpp.
//
// Constant neurons (threshold <= 0 or above the number of non-zero weights) are recognised here and nowhere
// else: they keep no weights, so their sums cannot leave their range, and they start at their result.
//
// Size for n inputs and m neurons: 4 n m bytes of tables, n m / 8 bytes of weight bits (twice that with
// zeros).
#include "bnnplan/network/kernels_weights.hpp"

#include <bit>
#include <cassert>

namespace bnnplan {

namespace {

constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool is_constant_one(const Neuron& neuron) { return neuron.threshold <= 0; }
bool is_constant_zero(const Neuron& neuron) { return neuron.threshold > fan_in(neuron.weights); }
bool is_constant(const Neuron& neuron) { return is_constant_one(neuron) || is_constant_zero(neuron); }

// Inputs first .. first + 3 of a neuron as bit masks: those that agree when they are 1, and when they are 0.
struct BlockWeights {
  unsigned positive = 0;
  unsigned negative = 0;

  BlockWeights(const std::vector<std::int8_t>& weights, std::size_t first) {
    for (std::size_t i = 0; i < kBlockInputs && first + i < weights.size(); ++i) {
      if (weights[first + i] > 0) positive |= 1U << i;
      if (weights[first + i] < 0) negative |= 1U << i;
    }
  }

  int agreeing(unsigned pattern) const {
    return std::popcount(positive & pattern) + std::popcount(negative & ~pattern);
  }
};

}  // namespace

std::size_t TableWeights::bytes(std::size_t inputs, std::size_t neurons) {
  return round_up(neurons, kLanes) * round_up(inputs, kBlockInputs) / kBlockInputs * kBlockPatterns;
}

TableWeights::TableWeights(const Layer& layer, std::size_t inputs)
    : counts_(bytes(inputs, layer.neurons.size()) / sizeof(CacheLine)),
      blocks_(round_up(inputs, kBlockInputs) / kBlockInputs),
      neurons_(layer.neurons.size()) {
  assert(inputs <= kMostTableInputs);
  const std::size_t padded = round_up(neurons_, kLanes);
  narrow_starts_.resize(padded);
  wide_starts_.resize(padded);
  for (std::size_t n = 0; n < neurons_; ++n) {
    const Neuron& neuron = layer.neurons[n];
    assert(neuron.weights.size() == inputs);
    const std::size_t chunk = n / kLanes;
    const std::size_t lane = n % kLanes;
    std::uint16_t& wide_start = wide_starts_[chunk * kLanes + lane % 2 * (kLanes / 2) + lane / 2];
    const int threshold = is_constant(neuron) ? 0 : neuron.threshold;
    if (!is_constant_zero(neuron)) {
      if (inputs <= kGroupInputs) narrow_starts_[n] = static_cast<std::uint8_t>(128 - threshold);
      wide_start = static_cast<std::uint16_t>(32768 - threshold);
    }
    if (is_constant(neuron)) continue;
    for (std::size_t block = 0; block < blocks_; ++block) {
      const BlockWeights weights(neuron.weights, block * kBlockInputs);
      CacheLine* rows = counts_.data() + (chunk * blocks_ + block) * kBlockPatterns;
      for (unsigned pattern = 0; pattern < kBlockPatterns; ++pattern) {
        rows[pattern].bytes[lane] = static_cast<std::uint8_t>(weights.agreeing(pattern));
      }
    }
  }
}

TableView TableWeights::view() const {
  return {reinterpret_cast<const std::uint8_t*>(counts_.data()), narrow_starts_.data(), wide_starts_.data(),
          blocks_, neurons_};
}

PopcountWeights::PopcountWeights(const Layer& layer, std::size_t inputs)
    : words_((inputs + 63) / 64), neurons_(layer.neurons.size()) {
  const std::size_t padded = round_up(neurons_, kOctet);
  weights_.resize(padded * words_);
  present_.resize(padded * words_);
  allowed_.resize(padded);
  bool has_zeros = false;
  for (std::size_t n = 0; n < neurons_; ++n) {
    const Neuron& neuron = layer.neurons[n];
    assert(neuron.weights.size() == inputs);
    const auto present = static_cast<std::size_t>(fan_in(neuron.weights));
    allowed_[n] = is_constant_one(neuron) ? static_cast<std::int64_t>(inputs)
                                          : static_cast<std::int64_t>(present) - neuron.threshold;
    // A neuron without inputs also has nothing to count (popcount_counts).
    if (present == 0) has_zeros = true;
    if (is_constant(neuron)) continue;
    if (present < inputs) has_zeros = true;
    for (std::size_t i = 0; i < inputs; ++i) {
      const std::size_t at = (n / kOctet * words_ + i / 64) * kOctet + n % kOctet;
      const std::uint64_t bit = std::uint64_t{1} << i % 64;
      if (neuron.weights[i] > 0) weights_[at] |= bit;
      if (neuron.weights[i] != 0) present_[at] |= bit;
    }
  }
  if (!has_zeros) present_.clear();
}

PopcountView PopcountWeights::view() const {
  return {weights_.data(), present_.empty() ? nullptr : present_.data(), allowed_.data(), words_, neurons_};
}

}  // namespace bnnplan
