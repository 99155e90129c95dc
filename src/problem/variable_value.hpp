#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/base/decimal.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan {

// The bits of a value, least significant first; empty if the variable cannot have this value.
std::optional<BitValues> bits_of_value(const Variable& variable, const Decimal& value);

// Requires bits.size() == variable.bits, all 0 or 1.
Decimal value_of_bits(const Variable& variable, std::span<const BitValue> bits);

// The value of one variable, from the bits of all of them.
Decimal value_of(const VariableList& list, std::size_t variable, std::span<const BitValue> bits);

// "true or false", "an integer from -8 to 7", "a multiple of 0.5 ..." for error messages.
std::string range_text(const Variable& variable);

}  // namespace bnnplan
