// Converts numbers to the bits that a network computes with.
//
// A double stands for its shortest decimal (0.3 is 3/10, not the binary fraction just below it), and a
// threshold is any rational number; `x >= t` is decided exactly by one comparison of doubles, with the
// smallest double whose decimal is not below t in place of t. The same holds for bytes and the smallest
// integer not below t.
#include "bnnplan/network/input_bits.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/network/kernels.hpp"

namespace bnnplan {

namespace {

// Null if the input is a bit.
const NumericInput* number_of(const Network& network, std::size_t input) {
  return has_numbers(network) && network.numbers[input] ? &*network.numbers[input] : nullptr;
}

// The smallest byte not below the number; 256 if there is none.
std::uint16_t byte_at_least(const mpq_class& number) {
  const mpz_class ceiling = ceiling_of(number);
  return ceiling < 0 ? 0 : ceiling > 256 ? 256 : static_cast<std::uint16_t>(ceiling.get_ui());
}

template <class Value, class Threshold>
void pack_values(std::span<const Value> values, const std::vector<Threshold>& thresholds,
                 std::uint64_t* bits) {
  assert(values.size() == thresholds.size());
  for (std::size_t first = 0; first < values.size(); first += 64) {
    const std::size_t count = std::min<std::size_t>(64, values.size() - first);
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i)
      word |= std::uint64_t{values[first + i] >= thresholds[first + i]} << i;
    bits[first / 64] = word;
  }
}

}  // namespace

InputBits::InputBits(const Network& network) {
  for (std::size_t i = 0; i < network.inputs.size(); ++i) {
    const NumericInput* number = number_of(network, i);
    thresholds_.push_back(number != nullptr ? smallest_decimal_at_least(number->threshold) : 1);
    low_.push_back(number != nullptr ? nearest_double(number->low - number->step / 2) : 0);
    high_.push_back(number != nullptr ? nearest_double(number->high + number->step / 2) : 1);
    byte_thresholds_.push_back(number != nullptr ? byte_at_least(number->threshold) : 1);
    is_bit_.push_back(number == nullptr);
  }
}

void InputBits::pack(std::span<const double> values, std::uint64_t* bits) const {
  pack_values(values, thresholds_, bits);
}

void InputBits::pack(std::span<const std::uint8_t> values, std::uint64_t* bits) const {
  pack_values(values, byte_thresholds_, bits);
}

std::size_t InputBits::first_not_allowed(std::span<const double> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool inside = values[i] >= low_[i] && values[i] <= high_[i];  // false for NaN
    if (!inside || (is_bit_[i] && values[i] != 0 && values[i] != 1)) return i;
  }
  return values.size();
}

std::size_t InputBits::first_not_allowed(std::span<const std::uint8_t> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < low_[i] || values[i] > high_[i]) return i;
  }
  return values.size();
}

std::string range_text(const Network& network, std::size_t input) {
  const NumericInput* number = number_of(network, input);
  if (number == nullptr) return "0 or 1";
  return fmt::format("from {} to {}", exact_text(number->low), exact_text(number->high));
}

}  // namespace bnnplan
