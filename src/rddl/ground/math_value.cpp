// The functions of RDDL that are computed in doubles.
#include "rddl/ground/math_value.hpp"

#include <cmath>

namespace bnnplan::rddl {

double math_value(MathFunction function, double a, double b) {
  switch (function) {
    case MathFunction::cos:
      return std::cos(a);
    case MathFunction::sin:
      return std::sin(a);
    case MathFunction::tan:
      return std::tan(a);
    case MathFunction::acos:
      return std::acos(a);
    case MathFunction::asin:
      return std::asin(a);
    case MathFunction::atan:
      return std::atan(a);
    case MathFunction::cosh:
      return std::cosh(a);
    case MathFunction::sinh:
      return std::sinh(a);
    case MathFunction::tanh:
      return std::tanh(a);
    case MathFunction::exp:
      return std::exp(a);
    case MathFunction::ln:
      return std::log(a);
    case MathFunction::sqrt:
      return std::sqrt(a);
    case MathFunction::lngamma:
      return std::lgamma(a);
    case MathFunction::gamma:
      return std::exp(std::lgamma(a));
    case MathFunction::fmod: {
      const double rest = std::fmod(a, b);
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
    case MathFunction::log:
      return std::log(a) / std::log(b);
    case MathFunction::hypot:
      return std::hypot(a, b);
  }
  __builtin_unreachable();
}

}  // namespace bnnplan::rddl
