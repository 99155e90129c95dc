#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "bnnplan/base/decimal.hpp"

namespace bnnplan::rddl {

// An exact fraction in lowest terms, denominator > 0, so equal numbers are equal structs. Operations throw
// OverflowError if the result does not fit into 64 bits. Decimals (base/decimal.hpp) do not suffice, because
// domains divide; GMP's fractions allocate memory, and these are computed for every row of a table.
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
inline int sign(const Rational& value) { return value.numerator > 0 ? 1 : value.numerator < 0 ? -1 : 0; }
inline bool is_integer(const Rational& value) { return value.denominator == 1; }

// floor(a / b) and a - b floor(a / b): the remainder has the sign of b. Both require b != 0.
std::int64_t floor_divide(std::int64_t a, std::int64_t b);
std::int64_t floor_modulo(std::int64_t a, std::int64_t b);
std::int64_t checked_power(std::int64_t base, std::int64_t exponent);  // an OverflowError if it is negative

Rational rational_of(const Decimal& decimal);
std::optional<Decimal> decimal_of(const Rational& value);  // nothing for 1/3
std::string to_string(const Rational& value);              // 3, -0.25, 1/3

// A number as written or computed while grounding: an exact fraction if it fits into 64 bits, otherwise the
// nearest double. `real` holds the value in both cases. Needed because a domain may have both: pi and exp[x]
// are simulated as doubles, while planning takes only what is exact.
struct Number {
  bool exact = true;
  Rational fraction;
  double real = 0;

  friend bool operator==(const Number&, const Number&) = default;
};

inline double real_of(const Rational& value) {
  return static_cast<double>(value.numerator) / static_cast<double>(value.denominator);
}

inline Number exact_number(const Rational& value) { return {true, value, real_of(value)}; }
inline Number exact_number(std::int64_t value) { return exact_number(Rational{value, 1}); }
inline Number inexact_number(double value) { return {false, {}, value}; }

inline Number negated(const Number& number) {
  return number.exact ? exact_number(Rational{} - number.fraction) : inexact_number(-number.real);
}

inline bool is_integer(const Number& number) { return number.exact && is_integer(number.fraction); }

std::string to_string(const Number& number);

}  // namespace bnnplan::rddl
