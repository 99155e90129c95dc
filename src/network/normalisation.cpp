// Folding a normalisation into one integer threshold, exactly.
//
//   value = (scale D + shift) / sqrt(variance) + beta            D = 2 a - n, a of n inputs agreeing
//
// Multiplied by the positive root this is  A + B  with  A = scale D + shift  rational and B = beta
// sqrt(variance), whose sign is that of beta and whose square is rational. If the signs of A and B differ,
// comparing A^2 with B^2 decides, in GMP rationals, for which every double is an exact number: no rounding
// anywhere. The value is monotone in a, so the threshold is found by bisection with log2(n) such decisions.
// (The closed form ceil((n - (shift + beta sqrt(..)) / scale) / 2) needs the root itself, and rounding it
// gives a wrong threshold near a tie.) With scale < 0 the value falls as a grows: it rises with the number n
// - a of disagreeing inputs.
#include "bnnplan/network/normalisation.hpp"

#include <cassert>

#include "bnnplan/base/exact_number.hpp"

namespace bnnplan {

Normalisation without_rational_root(Normalisation norm) {
  if (const auto root = exact_root(norm.variance)) {
    return {norm.scale / *root, norm.shift / *root + norm.beta, 1, 0};
  }
  return norm;
}

int sign_at(const Normalisation& norm, const mpq_class& d) {
  const mpq_class a = norm.scale * d + norm.shift;
  const int a_sign = sgn(a), b_sign = sgn(norm.beta);
  if (a_sign * b_sign >= 0) return a_sign != 0 ? a_sign : b_sign;
  const int larger = cmp(mpq_class(a * a), mpq_class(norm.beta * norm.beta * norm.variance));
  return larger == 0 ? 0 : larger > 0 ? a_sign : b_sign;
}

FoldedThreshold fold(const Normalisation& norm, std::int32_t fan_in, ZeroGives at_zero) {
  assert(at_zero != ZeroGives::neither);
  const bool negated = norm.scale < 0;
  // Is the output 1 when `count` inputs agree (disagree, if negated)?
  const auto fires = [&](std::int32_t count) {
    const long agreeing = negated ? fan_in - count : count;
    const int sign = sign_at(norm, mpq_class(2 * agreeing - fan_in));
    return sign > 0 || (sign == 0 && at_zero == ZeroGives::one);
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
