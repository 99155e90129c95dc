#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "bnnplan/base/decimal.hpp"

namespace bnnplan::rddl {

// An exact fraction in lowest terms, denominator > 0, so equal numbers are equal structs. Operations throw
// OverflowError if the result does not fit into 64 bits.
struct Rational {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  friend bool operator==(const Rational&, const Rational&) = default;
};

Rational make_rational(std::int64_t numerator, std::int64_t denominator = 1);  // requires denominator != 0

Rational operator+(const Rational& a, const Rational& b);
Rational operator-(const Rational& a, const Rational& b);
Rational operator*(const Rational& a, const Rational& b);
Rational operator/(const Rational& a, const Rational& b);  // requires b != 0
std::strong_ordering operator<=>(const Rational& a, const Rational& b);

std::int64_t floor(const Rational& value);
std::int64_t ceiling(const Rational& value);
std::int64_t rounded(const Rational& value);  // half to even
inline bool is_integer(const Rational& value) { return value.denominator == 1; }

// floor(a / b) and a - b floor(a / b): the remainder has the sign of b. Both require b != 0.
std::int64_t floor_divide(std::int64_t a, std::int64_t b);
std::int64_t floor_modulo(std::int64_t a, std::int64_t b);

Rational rational_of(const Decimal& decimal);
std::optional<Decimal> decimal_of(const Rational& value);  // nothing for 1/3
std::string to_string(const Rational& value);              // 3, -0.25, 1/3

}  // namespace bnnplan::rddl
