#pragma once

#include "bnnplan/rddl/language/rational.hpp"

namespace bnnplan::rddl {

// A number as written or computed while grounding: an exact fraction if it fits into 64 bits, otherwise the
// nearest double. `real` holds the value in both cases.
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
