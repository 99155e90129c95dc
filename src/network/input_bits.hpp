#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace bnnplan {

// Makes packed bits of the numbers that a network takes: x >= threshold for each, exactly. A bit is a number that
// is 0 or 1.
class InputBits {
 public:
  explicit InputBits(const Network& network);

  std::size_t inputs() const { return thresholds_.size(); }

  // Packs one sample into words_of(inputs()) words. Requires as many values as inputs, each of which is_allowed.
  void pack(std::span<const double> values, std::uint64_t* bits) const;
  void pack(std::span<const std::uint8_t> values, std::uint64_t* bits) const;

  // The first value that the input cannot have (out of its range by half a step or more; neither 0 nor 1 for a bit; not a number), or
  // inputs() if there is none.
  std::size_t first_not_allowed(std::span<const double> values) const;
  std::size_t first_not_allowed(std::span<const std::uint8_t> values) const;

 private:
  // For doubles, x >= t and x >= the smallest double that is not below t are the same. Ranges are half a step wider, for
  // numbers that were rounded on their way.
  std::vector<double> thresholds_, low_, high_;
  std::vector<bool> is_bit_;
  // For bytes, integers; 256 is above all of them.
  std::vector<std::uint16_t> byte_thresholds_;
};

// What an input may be, for messages: "0 or 1", "from 0 to 255".
std::string range_text(const Network& network, std::size_t input);

}  // namespace bnnplan
