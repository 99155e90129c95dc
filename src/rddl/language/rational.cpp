// Exact fractions for RDDL arithmetic: age * (1 - running / (1 + neighbours)) < 1.5 must not depend on how a
// machine rounds. Every operation is done in 128 bits, reduced, and refused if the result needs more than 64.
#include "bnnplan/rddl/language/rational.hpp"

#include <numeric>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::rddl {

namespace {

using Wide = __int128;

Wide greatest_common_divisor(Wide a, Wide b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

std::int64_t narrow(Wide value) {
  if (value > INT64_MAX || value < INT64_MIN) throw OverflowError();
  return static_cast<std::int64_t>(value);
}

Rational reduced(Wide numerator, Wide denominator) {
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  if (denominator != 1) {
    const bool narrow_enough = numerator <= INT64_MAX && numerator >= -INT64_MAX && denominator <= INT64_MAX;
    if (narrow_enough) {  // nearly always, and ten times as fast
      const auto top = static_cast<std::int64_t>(numerator), bottom = static_cast<std::int64_t>(denominator);
      const std::int64_t common = std::gcd(top, bottom);
      return {top / common, bottom / common};
    }
    const Wide common = greatest_common_divisor(numerator, denominator);
    numerator /= common;
    denominator /= common;
  }
  return {narrow(numerator), narrow(denominator)};
}

}  // namespace

Rational make_rational(std::int64_t numerator, std::int64_t denominator) {
  return reduced(numerator, denominator);
}

Rational operator+(const Rational& a, const Rational& b) {
  // Each product is below 2^126, so the sum is below 2^127.
  return reduced(Wide{a.numerator} * b.denominator + Wide{b.numerator} * a.denominator,
                 Wide{a.denominator} * b.denominator);
}

Rational operator-(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator} * b.denominator - Wide{b.numerator} * a.denominator,
                 Wide{a.denominator} * b.denominator);
}

Rational operator*(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator} * b.numerator, Wide{a.denominator} * b.denominator);
}

Rational operator/(const Rational& a, const Rational& b) {
  return reduced(Wide{a.numerator} * b.denominator, Wide{a.denominator} * b.numerator);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  const Wide left = Wide{a.numerator} * b.denominator;
  const Wide right = Wide{b.numerator} * a.denominator;
  if (left < right) return std::strong_ordering::less;
  return left == right ? std::strong_ordering::equal : std::strong_ordering::greater;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  if (b == -1) return checked_negate(a);
  const std::int64_t quotient = a / b;
  return quotient - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

std::int64_t floor_modulo(std::int64_t a, std::int64_t b) {
  if (b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::int64_t checked_power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) throw OverflowError();
  std::int64_t product = 1;
  for (; exponent > 0 && product != 0 && base != 1; --exponent) product = checked_multiply(product, base);
  return product;
}

std::int64_t floor(const Rational& value) { return floor_divide(value.numerator, value.denominator); }

std::int64_t ceiling(const Rational& value) { return floor(value) + (is_integer(value) ? 0 : 1); }

std::int64_t rounded(const Rational& value) {
  const std::int64_t below = floor(value);
  const Rational rest = value - make_rational(below), half = make_rational(1, 2);
  return below + (rest > half || (rest == half && below % 2 != 0) ? 1 : 0);
}

Rational rational_of(const Decimal& decimal) {
  if (decimal.exponent >= 0) return make_rational(scaled(decimal, 0));
  return make_rational(decimal.digits, checked_power_of_ten(-decimal.exponent));
}

std::optional<Decimal> decimal_of(const Rational& value) {
  std::int64_t digits = value.numerator;
  std::int64_t denominator = value.denominator;
  int exponent = 0;
  for (const std::int64_t factor : {10, 5, 2}) {
    while (denominator % factor == 0) {
      denominator /= factor;
      digits = checked_multiply(digits, 10 / factor);
      --exponent;
    }
  }
  if (denominator != 1) return std::nullopt;
  return make_decimal(digits, exponent);
}

std::string to_string(const Rational& value) {
  try {
    if (const auto decimal = decimal_of(value)) return to_string(*decimal);
  } catch (const OverflowError&) {
    // Print it as a fraction.
  }
  return fmt::format("{}/{}", value.numerator, value.denominator);
}

std::string to_string(const Number& number) {
  return number.exact ? to_string(number.fraction) : fmt::format("{}", number.real);
}

}  // namespace bnnplan::rddl
