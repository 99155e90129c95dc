// Rational numbers as text and as doubles. GMP rounds doubles towards zero; the nearest one is found from
// there by comparing exactly with the midpoint of two neighbours, or for a root with the square of the
// midpoint.
#include "bnnplan/base/exact_number.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace bnnplan {

namespace {

constexpr int exact_exponent_limit = 1000;
constexpr unsigned long most_decimals = 40;  // beyond this, a fraction is written

mpz_class power(unsigned long base, unsigned long exponent) {
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), base, exponent);
  return result;
}

bool is_plain_digit(char c) { return c >= '0' && c <= '9'; }

// Removes the digits at the front of the text and returns them.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_plain_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take_sign(std::string_view& text) {
  if (text.empty() || (text.front() != '-' && text.front() != '+')) return false;
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

// An optional exponent; it must be the whole text.
std::optional<int> parse_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  const bool negative = take_sign(text);
  const std::string_view digits = take_digits(text);
  if (digits.empty() || digits.size() > 4 || !text.empty()) return std::nullopt;
  int exponent = 0;
  for (const char digit : digits) exponent = 10 * exponent + (digit - '0');
  if (exponent > exact_exponent_limit) return std::nullopt;
  return negative ? -exponent : exponent;
}

// The double nearest to a positive number. `low` is the largest double not above the number, and `side_of(x)`
// says whether the number is below (-1), at (0) or above (+1) a rational x.
template <class SideOf>
double nearest_of_two(double low, const SideOf& side_of) {
  const double high = std::nextafter(low, std::numeric_limits<double>::infinity());
  if (std::isinf(high)) {
    // The double that would come next decides, as for all others.
    const mpq_class middle = mpq_class(low) + (mpq_class(low) - mpq_class(std::nextafter(low, 0.0))) / 2;
    return side_of(middle) < 0 ? low : high;
  }
  const int side = side_of((mpq_class(low) + mpq_class(high)) / 2);
  if (side != 0) return side < 0 ? low : high;
  int exponent = 0;
  const double mantissa = std::ldexp(std::frexp(low, &exponent), std::numeric_limits<double>::digits);
  return std::fmod(mantissa, 2.0) == 0.0 ? low : high;
}

// The largest double not above a positive number.
double truncated(const mpq_class& number) {
  const double value = mpq_get_d(number.get_mpq_t());
  return std::isinf(value) ? std::numeric_limits<double>::max() : value;
}

}  // namespace

std::optional<mpq_class> parse_exact(std::string_view text) {
  if (text.size() > exact_text_limit) return std::nullopt;
  const bool negative = take_sign(text);
  std::string digits(take_digits(text));
  mpq_class number;
  if (!digits.empty() && !text.empty() && text.front() == '/') {
    text.remove_prefix(1);
    const std::string denominator(take_digits(text));
    if (denominator.empty() || !text.empty()) return std::nullopt;
    number.get_num() = mpz_class(digits, 10);
    number.get_den() = mpz_class(denominator, 10);
    if (number.get_den() == 0) return std::nullopt;
    number.canonicalize();
  } else {
    int decimals = 0;
    if (!text.empty() && text.front() == '.') {
      text.remove_prefix(1);
      const std::string_view fraction = take_digits(text);
      digits += fraction;
      decimals = static_cast<int>(fraction.size());
    }
    const std::optional<int> exponent = parse_exponent(text);
    if (digits.empty() || !exponent) return std::nullopt;
    number = mpz_class(digits, 10);
    const int shift = *exponent - decimals;
    if (shift >= 0) {
      number *= power(10, static_cast<unsigned long>(shift));
    } else {
      number /= power(10, static_cast<unsigned long>(-shift));
    }
  }
  return negative ? mpq_class(-number) : number;
}

std::string exact_text(const mpq_class& number) {
  mpz_class rest = number.get_den();
  const unsigned long twos = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), mpz_class(2).get_mpz_t());
  const unsigned long fives = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), mpz_class(5).get_mpz_t());
  const unsigned long decimals = std::max(twos, fives);
  if (rest != 1 || decimals > most_decimals) return number.get_str();
  mpz_class scaled = number.get_num() * power(10, decimals) / number.get_den();
  std::string text = mpz_class(abs(scaled)).get_str();
  if (decimals > 0) {
    if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
    text.insert(text.size() - decimals, 1, '.');
  }
  return scaled < 0 ? "-" + text : text;
}

bool has_exact_text(const mpq_class& number) {
  // Numbers far beyond the limit need not be written out to know.
  const std::size_t digits =
      mpz_sizeinbase(number.get_num_mpz_t(), 10) + mpz_sizeinbase(number.get_den_mpz_t(), 10);
  return digits <= 2 * exact_text_limit && exact_text(number).size() <= exact_text_limit;
}

mpz_class floor_of(const mpq_class& x) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
  return result;
}

mpz_class ceiling_of(const mpq_class& x) {
  mpz_class result;
  mpz_cdiv_q(result.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
  return result;
}

double nearest_double(const mpq_class& number) {
  if (number < 0) return -nearest_double(mpq_class(-number));
  return nearest_of_two(truncated(number), [&](const mpq_class& x) { return cmp(number, x); });
}

double smallest_double_at_least(const mpq_class& number) {
  // For a negative number, GMP's rounding towards zero is already the answer.
  if (number < 0) return -truncated(mpq_class(-number));
  const double below = truncated(number);
  return mpq_class(below) == number ? below : std::nextafter(below, std::numeric_limits<double>::infinity());
}

mpq_class shortest_decimal(double number) { return *parse_exact(fmt::format("{}", number)); }
mpq_class shortest_decimal(float number) { return *parse_exact(fmt::format("{}", number)); }

double smallest_decimal_at_least(const mpq_class& number) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double bound = std::nextafter(smallest_double_at_least(number), -infinity);
  while (std::isfinite(bound) && shortest_decimal(bound) < number) bound = std::nextafter(bound, infinity);
  return bound;
}

mpq_class nearest_double_over_root(const mpq_class& number, const mpq_class& variance) {
  if (number < 0) return -nearest_double_over_root(mpq_class(-number), variance);
  if (number == 0) return 0;
  mpq_class square = number * number / variance;
  // Scaled by a power of 4 to be near 1, where doubles have all their bits; the root is scaled back at the
  // end.
  const long exponent = (static_cast<long>(mpz_sizeinbase(square.get_num_mpz_t(), 2)) -
                         static_cast<long>(mpz_sizeinbase(square.get_den_mpz_t(), 2))) /
                        2;
  const auto times_power = [](const mpq_class& x, long power) {
    mpq_class result;
    if (power >= 0) {
      mpq_mul_2exp(result.get_mpq_t(), x.get_mpq_t(), static_cast<mp_bitcnt_t>(power));
    } else {
      mpq_div_2exp(result.get_mpq_t(), x.get_mpq_t(), static_cast<mp_bitcnt_t>(-power));
    }
    return result;
  };
  square = times_power(square, -2 * exponent);
  const auto side_of = [&](const mpq_class& x) { return cmp(square, mpq_class(x * x)); };
  mpf_class root(square, 256);
  mpf_sqrt(root.get_mpf_t(), root.get_mpf_t());
  double low = truncated(mpq_class(root));
  // The root is rounded towards zero as well, so if the root is a double, `low` may be one too small.
  const double next = std::nextafter(low, std::numeric_limits<double>::infinity());
  if (std::isfinite(next) && side_of(mpq_class(next)) >= 0) low = next;
  return times_power(mpq_class(nearest_of_two(low, side_of)), exponent);
}

std::optional<mpq_class> exact_root(const mpq_class& number) {
  if (number < 0 || mpz_perfect_square_p(number.get_num_mpz_t()) == 0 ||
      mpz_perfect_square_p(number.get_den_mpz_t()) == 0) {
    return std::nullopt;
  }
  return mpq_class(mpz_class(sqrt(number.get_num())), mpz_class(sqrt(number.get_den())));
}

}  // namespace bnnplan
