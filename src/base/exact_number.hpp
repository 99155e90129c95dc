#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <gmpxx.h>

namespace bnnplan {

// Rational numbers without limits (GMP), for what other tools wrote as floats and doubles: each of these is a
// rational number. mpq_class(x) is exactly the double x, if it is finite.

// Reads 12, -0.05, 1.5e-3 and -3/255. Nothing if the text is not exactly such a number, or longer than this.
constexpr std::size_t exact_text_limit = 10'000;
std::optional<mpq_class> parse_exact(std::string_view text);

// Exact: 12, -0.05, and where that would be longer than 40 decimals, or without end, -1/85.
std::string exact_text(const mpq_class& number);

// Can parse_exact read what exact_text writes? Not if the number has more digits than its limit.
bool has_exact_text(const mpq_class& number);

// The nearest double, of two the even one; infinite where it is beyond all.
double nearest_double(const mpq_class& number);

// The smallest double x with x >= number: for doubles, x >= number and x >= this are the same.
double smallest_double_at_least(const mpq_class& number);

// The nearest double to number / sqrt(variance), of two the even one, as if exponents had no limits: a number of 53 bits,
// and 0 only if `number` is. Requires variance > 0.
mpq_class nearest_double_over_root(const mpq_class& number, const mpq_class& variance);

// The square root, if it is rational.
std::optional<mpq_class> exact_root(const mpq_class& number);

}  // namespace bnnplan
