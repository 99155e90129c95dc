// Exact decimals: coefficients, rewards and published thresholds are decimal text and are scaled to integers
// once, without ever passing through floating point. 64-bit digits and checked arithmetic: a coefficient with
// more than 18 significant digits is an error, not a rounded problem.
#include "bnnplan/base/decimal.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr int exponent_limit = 1000;

}  // namespace

Decimal make_decimal(std::int64_t digits, int exponent) {
  if (digits == 0) return {};
  while (digits % 10 == 0) {
    digits /= 10;
    ++exponent;
  }
  return {digits, exponent};
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  std::int64_t digits = 0;
  int exponent = 0;
  int pending_zeros = 0;  // zeros seen but not yet multiplied in, so that 1.000...0 is not an overflow
  bool any_digit = false;
  bool after_point = false;
  while (!text.empty() && (is_digit(text.front()) || (text.front() == '.' && !after_point))) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '.') {
      after_point = true;
      continue;
    }
    any_digit = true;
    if (after_point) --exponent;
    if (c == '0') {
      ++pending_zeros;
      continue;
    }
    if (digits == 0) pending_zeros = 0;
    for (; pending_zeros > 0; --pending_zeros) digits = checked_multiply(digits, 10);
    digits = checked_add(checked_multiply(digits, 10), c - '0');
  }
  if (!any_digit) return std::nullopt;
  if (digits != 0) exponent += pending_zeros;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '+') {
      text.remove_prefix(1);
      if (!text.empty() && text.front() == '-') return std::nullopt;
    }
    int written = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), written);
    if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
    if (digits != 0 && (error != std::errc() || std::abs(static_cast<long>(written)) > exponent_limit)) {
      throw OverflowError();
    }
    if (digits != 0) exponent += written;
    text = {};
  }
  if (!text.empty()) return std::nullopt;
  return make_decimal(negative ? -digits : digits, exponent);
}

std::string to_string(const Decimal& value) {
  if (value.exponent > 18 || value.exponent < -40) return fmt::format("{}e{}", value.digits, value.exponent);
  if (value.exponent >= 0) return fmt::format("{}{}", value.digits, std::string(value.exponent, '0'));
  const int places = -value.exponent;
  const std::string digits =
      fmt::format("{:0>{}}", value.digits < 0 ? -value.digits : value.digits, places + 1);
  const std::size_t point = digits.size() - static_cast<std::size_t>(places);
  return fmt::format("{}{}.{}", value.digits < 0 ? "-" : "", digits.substr(0, point), digits.substr(point));
}

Decimal operator+(const Decimal& a, const Decimal& b) {
  if (a.digits == 0) return b;
  if (b.digits == 0) return a;
  const int exponent = std::min(a.exponent, b.exponent);
  return make_decimal(checked_add(scaled(a, -exponent), scaled(b, -exponent)), exponent);
}

Decimal operator*(const Decimal& a, const Decimal& b) {
  return make_decimal(checked_multiply(a.digits, b.digits), a.exponent + b.exponent);
}

Decimal operator-(const Decimal& a) { return {checked_negate(a.digits), a.exponent}; }

bool operator<(const Decimal& a, const Decimal& b) { return (a + -b).digits < 0; }

std::int64_t scaled(const Decimal& value, int places) {
  if (value.digits == 0) return 0;
  const int power = value.exponent + places;
  if (power > 18) throw OverflowError();
  return checked_multiply(value.digits, checked_power_of_ten(power));
}

std::int64_t ceil_half(const Decimal& value) {
  if (value.exponent < -18) return value.digits > 0 ? 1 : 0;  // then |value| < 1
  const std::int64_t numerator = value.exponent >= 0 ? scaled(value, 0) : value.digits;
  const std::int64_t denominator = 2 * checked_power_of_ten(value.exponent >= 0 ? 0 : -value.exponent);
  return numerator / denominator + (numerator % denominator > 0 ? 1 : 0);
}

}  // namespace bnnplan
