#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <gmpxx.h>

namespace bnnplan {

// Unbounded rational numbers (GMP), for values that other tools wrote as floats and doubles: each of these is
// a rational number, and sums of them need more than 64 bits. mpq_class(x) is exactly the double x, if it is
// finite.

// Reads 12, -0.05, 1.5e-3 and -3/255. Empty if the text is not exactly such a number, or is longer than this.
constexpr std::size_t exact_text_limit = 10'000;
std::optional<mpq_class> parse_exact(std::string_view text);

// Exact text: 12 or -0.05; if that would take more than 40 decimals, or would not end, a fraction such as
// -1/85.
std::string exact_text(const mpq_class& number);

// Can parse_exact read what exact_text writes? Not if the text is longer than its limit.
bool has_exact_text(const mpq_class& number);

// Rounded to an integer, downwards and upwards.
mpz_class floor_of(const mpq_class& x);
mpz_class ceiling_of(const mpq_class& x);

// The nearest double, ties to even; infinite if the number is out of range.
double nearest_double(const mpq_class& number);

// The smallest double x with x >= number. So for a double y, y >= number if and only if y >= x.
double smallest_double_at_least(const mpq_class& number);

// What a float or double is written for: the shortest decimal that reads as it, which is what Python prints.
// Require a finite number.
mpq_class shortest_decimal(double number);
mpq_class shortest_decimal(float number);

// The smallest double x with shortest_decimal(x) >= number. So for a double y, shortest_decimal(y) >= number
// if and only if y >= x, since shortest decimals have the order of their doubles.
double smallest_decimal_at_least(const mpq_class& number);

// The double nearest to number / sqrt(variance), ties to even, as if exponents were unbounded: a number of 53
// bits, and 0 only if `number` is 0. Requires variance > 0.
mpq_class nearest_double_over_root(const mpq_class& number, const mpq_class& variance);

// The square root, if it is rational.
std::optional<mpq_class> exact_root(const mpq_class& number);

}  // namespace bnnplan
