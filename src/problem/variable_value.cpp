// Values of variables and their bits: x = sum_b weight_b x_b with weights 2^b 10^scale, the highest negative
// in two's complement.
#include "bnnplan/problem/variable_value.hpp"

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan {

namespace {

std::int64_t lowest(const Variable& variable) {
  return variable.twos_complement ? -(std::int64_t{1} << (variable.bits - 1)) : 0;
}

std::int64_t highest(const Variable& variable) {
  return (std::int64_t{1} << (variable.twos_complement ? variable.bits - 1 : variable.bits)) - 1;
}

}  // namespace

std::optional<BitValues> bits_of_value(const Variable& variable, const Decimal& value) {
  std::int64_t integer = 0;
  if (value.digits != 0) {
    if (value.exponent < variable.scale) return std::nullopt;
    try {
      integer = scaled(value, -variable.scale);
    } catch (const OverflowError&) {
      return std::nullopt;
    }
  }
  if (integer < lowest(variable) || integer > highest(variable)) return std::nullopt;
  BitValues bits;
  for (int b = 0; b < variable.bits; ++b) bits.push_back(static_cast<BitValue>((integer >> b) & 1));
  return bits;
}

Decimal value_of_bits(const Variable& variable, std::span<const BitValue> bits) {
  Decimal value;
  for (int b = 0; b < variable.bits; ++b) {
    if (bits[static_cast<std::size_t>(b)] != 0) value = value + bit_weight(variable, b);
  }
  return value;
}

Decimal value_of(const VariableList& list, std::size_t variable, std::span<const BitValue> bits) {
  const std::size_t first = list.first_bit[variable], end = list.first_bit[variable + 1];
  return value_of_bits(list.variables[variable], bits.subspan(first, end - first));
}

std::string range_text(const Variable& variable) {
  if (variable.boolean) return "true or false";
  const auto shown = [&](std::int64_t integer) {
    return to_string(make_decimal(integer, 0) * make_decimal(1, variable.scale));
  };
  const std::string unit = variable.scale == 0 ? "an integer" : fmt::format("a multiple of {}", shown(1));
  return fmt::format("{} from {} to {}", unit, shown(lowest(variable)), shown(highest(variable)));
}

}  // namespace bnnplan
