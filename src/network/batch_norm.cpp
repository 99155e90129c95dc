// Folding batch normalisation into one integer threshold, exactly.
//
//   x = (D - mean) * gamma / sqrt(variance + epsilon) + beta >= 0      D = 2 a - n, a of n inputs agreeing
//
// Multiplied by the positive root this is  A + B >= 0  with  A = (D - mean) gamma  rational and
// B = beta sqrt(variance + epsilon), whose sign is that of beta and whose square is rational. So
//
//   A >= 0, beta >= 0:  true         A < 0, beta <= 0:  false (A = 0, beta = 0 is a tie, and ties are 1)
//   A >= 0, beta <  0:  A^2 >= B^2   A < 0, beta >  0:  A^2 <= B^2
//
// decides it with GMP rationals, for which every double is an exact number: no rounding anywhere. x is
// monotone in a, so the threshold is found by bisection with log2(n) such decisions. (The closed form
// ceil((n + mean - beta sqrt(..) / gamma) / 2) needs the root itself, and rounding it gives a wrong threshold
// near a tie.) With gamma < 0, x falls as a grows: it rises with the number n - a of disagreeing inputs.
#include "network/batch_norm.hpp"

#include <cmath>

#include <gmpxx.h>

namespace bnnplan {

const char* batch_norm_fault(const BatchNorm& norm) {
  for (const double parameter : {norm.mean, norm.variance, norm.epsilon, norm.gamma, norm.beta}) {
    if (std::isnan(parameter)) return "batch normalisation parameter is not a number";
    if (std::isinf(parameter)) return "batch normalisation parameter is infinite";
  }
  if (mpq_class(norm.variance) + mpq_class(norm.epsilon) <= 0) return "variance + epsilon is not positive";
  return nullptr;
}

FoldedThreshold fold(const BatchNorm& norm, std::int32_t fan_in) {
  const mpq_class mean(norm.mean), gamma(norm.gamma), beta(norm.beta);
  const mpq_class b_squared = beta * beta * (mpq_class(norm.variance) + mpq_class(norm.epsilon));
  const bool negated = norm.gamma < 0;

  // Is the output 1 when `count` inputs agree (disagree, if negated)?
  const auto fires = [&](std::int32_t count) {
    const long agreeing = negated ? fan_in - count : count;
    const mpq_class a = (mpq_class(2 * agreeing - fan_in) - mean) * gamma;
    if (a >= 0) return beta >= 0 || a * a >= b_squared;
    return beta > 0 && a * a <= b_squared;
  };

  std::int32_t low = 0;  // the smallest count that fires is in [low, high]; fan_in + 1 stands for "none"
  std::int32_t high = fan_in + 1;
  while (low < high) {
    const std::int32_t middle = low + (high - low) / 2;
    if (fires(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return {negated, low};
}

}  // namespace bnnplan
