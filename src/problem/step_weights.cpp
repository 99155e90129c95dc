// A discount g = m / 10^k makes step t count g^(t-1). With D decimals the weights are
//
//   w_t = 10^D g^(t-1), rounded to the nearest integer, halves up
//
// which is exact if D = k (H-1). 62 bits hold about 18 decimals in total, so a discount of 0.9 has exact
// weights for 18 steps. If the file specifies a number of digits, D is that number, and w_t / 10^D differs
// from g^(t-1) by at most half a unit of the last digit.
//
// The power is kept with 40 more decimals, and further ones are cut off: after t steps it is less than t
// units of the last of these too small. If that leaves the rounding open, which is all but impossible, the
// exact power decides.
#include "bnnplan/problem/step_weights.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gmpxx.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/input_error.hpp"

namespace bnnplan {

namespace {

constexpr int most_decimals = 18;

int decimals_of(const Objective& objective, int horizon) {
  if (objective.discount == Decimal{1, 0} || horizon == 0) return 0;
  if (objective.discount_digits > 0) return objective.discount_digits;
  const std::int64_t digits = -std::int64_t{objective.discount.exponent} * (horizon - 1);
  return static_cast<int>(std::min<std::int64_t>(digits, horizon_limit));
}

mpz_class power_of(std::int64_t base, unsigned long exponent) {
  mpz_class power;
  mpz_pow_ui(power.get_mpz_t(), mpz_class(base).get_mpz_t(), exponent);
  return power;
}

}  // namespace

bool is_discounted(const Problem& problem) { return !(problem.objective.discount == Decimal{1, 0}); }

StepWeights step_weights(const Problem& problem) { return step_weights(problem.objective, problem.horizon); }

StepWeights step_weights(const Objective& objective, int horizon) {
  StepWeights result;
  const Decimal& discount = objective.discount;
  if (discount == Decimal{1, 0} || horizon == 0) return result;
  result.decimals = decimals_of(objective, horizon);
  if (result.decimals > most_decimals) {
    throw InputError(
        fmt::format("a discount of {} over {} steps has weights of {} decimals, expected at most {} (a "
                    "shorter horizon, or "
                    "rounded weights: 'discount-digits', or the discount option of compile)",
                    to_string(discount), horizon, result.decimals, most_decimals));
  }
  constexpr unsigned long more_decimals = 40;
  const mpz_class unit = power_of(10, static_cast<unsigned long>(-discount.exponent)),
                  last = power_of(10, more_decimals);
  mpz_class power = power_of(10, static_cast<unsigned long>(result.decimals) + more_decimals);
  for (int t = 1; t <= horizon; ++t) {
    mpz_class rounded = power + last / 2;
    if (rounded / last != (rounded + t) / last) {  // 10^D m^(t-1) / 10^(k (t-1)) + 1/2
      const auto steps = static_cast<unsigned long>(t - 1);
      const mpz_class under = power_of(10, steps * static_cast<unsigned long>(-discount.exponent));
      rounded =
          (2 * power_of(10, static_cast<unsigned long>(result.decimals)) * power_of(discount.digits, steps) +
           under) *
          last / (2 * under);
    }
    const mpz_class weight = rounded / last;
    if (weight == 0) {
      throw InputError(
          fmt::format("a discount of {} rounded to {} decimals is 0 at step {}: expected more digits or a "
                      "shorter horizon",
                      to_string(discount), result.decimals, t));
    }
    result.weights.push_back(weight.get_si());
    power = power * discount.digits / unit;
  }
  return result;
}

std::int64_t total_weight(const StepWeights& weights, int horizon) {
  if (weights.empty()) return horizon;
  std::int64_t sum = 0;
  for (const std::int64_t weight : weights.weights) sum = checked_add(sum, weight);
  return sum;
}

int cost_decimals(const Problem& problem) {
  return problem.objective.decimals + decimals_of(problem.objective, problem.horizon);
}

}  // namespace bnnplan
