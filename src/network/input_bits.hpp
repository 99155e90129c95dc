#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bnnplan/network/network.hpp"

namespace bnnplan {

// Packs the numbers that a network takes into bits: x >= threshold for each, exactly, where a double is its
// shortest decimal. A bit is a number that is 0 or 1.
class InputBits {
 public:
  explicit InputBits(const Network& network);

  std::size_t inputs() const { return thresholds_.size(); }

  // Packs one sample into words_of(inputs()) words. Requires one allowed value per input (see
  // first_not_allowed).
  void pack(std::span<const double> values, std::uint64_t* bits) const;
  void pack(std::span<const std::uint8_t> values, std::uint64_t* bits) const;

  // The index of the first value that its input cannot have (out of range by half a step or more; neither 0
  // nor 1 for a bit; NaN), or inputs() if there is none.
  std::size_t first_not_allowed(std::span<const double> values) const;
  std::size_t first_not_allowed(std::span<const std::uint8_t> values) const;

 private:
  // For doubles, x >= t is the same as x >= the smallest double whose decimal is not below t. Ranges are half
  // a step wider, for numbers that were rounded along the way.
  std::vector<double> thresholds_, low_, high_;
  std::vector<bool> is_bit_;
  // Integers for bytes; 256 is above all of them.
  std::vector<std::uint16_t> byte_thresholds_;
};

// The values an input may have, for messages: "0 or 1", "from 0 to 255".
std::string range_text(const Network& network, std::size_t input);

}  // namespace bnnplan
