#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bnnplan {

// An exact decimal number, digits * 10^exponent: what people write in problem files and read in answers.
// Normalised: digits has no trailing zero, and 0 is 0 * 10^0, so equal numbers are equal structs.
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;

  friend bool operator==(const Decimal&, const Decimal&) = default;
};

Decimal make_decimal(std::int64_t digits, int exponent);

// Reads [+-]digits[.digits][(e|E)[+-]digits]. Empty if the text is not exactly such a number. Throws
// OverflowError if the number does not fit.
std::optional<Decimal> parse_decimal(std::string_view text);

// Shortest exact text: 12, -0.05, 1500. Numbers with a very large exponent are written as 3e40.
std::string to_string(const Decimal& value);

Decimal operator+(const Decimal& a, const Decimal& b);  // both throw OverflowError
Decimal operator*(const Decimal& a, const Decimal& b);
Decimal operator-(const Decimal& a);
bool operator<(const Decimal& a, const Decimal& b);

// value * 10^places as an integer. Requires -value.exponent <= places. Throws OverflowError.
std::int64_t scaled(const Decimal& value, int places);

// ceil(value / 2). Exact for every decimal; throws OverflowError if the result does not fit.
std::int64_t ceil_half(const Decimal& value);

}  // namespace bnnplan
