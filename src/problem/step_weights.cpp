// A discount g = m / 10^k makes step t count g^(t-1). With D decimals the weights are
//
//   w_1 = 10^D,   w_(t+1) = w_t m / 10^k, rounded to the nearest integer, halves up
//
// which is exact if D = k (H-1): then no division leaves a rest. 62 bits hold that for some 18 decimals in all, so a discount
// of 0.9 has exact weights for 18 steps. Where the file says a number of digits, D is that number: every rounding adds at
// most half a unit, which later steps discount as well, so w_t / 10^D is within 1 / (2 10^D (1 - g)) of g^(t-1).
#include "problem/step_weights.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/checked.hpp"
#include "base/input_error.hpp"

namespace bnnplan {

namespace {

constexpr int most_decimals = 18;

int decimals_of(const Objective& objective, int horizon) {
  if (objective.discount == Decimal{1, 0} || horizon == 0) return 0;
  if (objective.discount_digits > 0) return objective.discount_digits;
  const std::int64_t digits = -std::int64_t{objective.discount.exponent} * (horizon - 1);
  return static_cast<int>(std::min<std::int64_t>(digits, horizon_limit));
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
                    "rounded weights: 'discount-digits', compile --discount digits=N or ignore)",
                    to_string(discount), horizon, result.decimals, most_decimals));
  }
  const std::int64_t unit = checked_power_of_ten(-discount.exponent);
  std::int64_t weight = checked_power_of_ten(result.decimals);
  for (int t = 1; t <= horizon; ++t) {
    if (weight == 0) {
      throw InputError(
          fmt::format("a discount of {} rounded to {} decimals is 0 at step {}: expected more digits or a "
                      "shorter horizon",
                      to_string(discount), result.decimals, t));
    }
    result.weights.push_back(weight);
    weight = static_cast<std::int64_t>((static_cast<__int128>(weight) * discount.digits + unit / 2) / unit);
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
