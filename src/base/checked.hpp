#pragma once

#include <cstdint>
#include <stdexcept>

namespace bnnplan {

// Integer arithmetic that throws on overflow. Costs and coefficients are int64 everywhere; the readers turn
// this exception into an InputError that says where the number came from.
struct OverflowError : std::overflow_error {
  OverflowError() : std::overflow_error("number too large: it does not fit into 64 bits") {}
};

inline std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw OverflowError();
  return sum;
}

inline std::int64_t checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw OverflowError();
  return product;
}

inline std::int64_t checked_negate(std::int64_t a) { return checked_multiply(a, -1); }

inline std::int64_t checked_magnitude(std::int64_t a) { return a < 0 ? checked_negate(a) : a; }

// 10^exponent; requires exponent >= 0.
inline std::int64_t checked_power_of_ten(int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power = checked_multiply(power, 10);
  return power;
}

}  // namespace bnnplan
