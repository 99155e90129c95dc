// What is known about the optimum. A core holds for models better than the best, if the others have been
// excluded by then, so what cores prove is capped at the cost of the best model.
#include "bnnplan/maxsat/bounds.hpp"

#include <algorithm>

namespace bnnplan::maxsat {

formats::Weight Bounds::offer_model(const CoreOracle& oracle) {
  const formats::Weight cost = events_.cost(oracle);
  if (upper_ && cost >= *upper_) return cost;
  upper_ = cost;
  has_enough_ = enough_ && cost <= *enough_;
  events_.improved(oracle, cost);
  set_lower(claimed_lower_);
  return cost;
}

void Bounds::offer_upper(formats::Weight cost) {
  if (upper_ && cost >= *upper_) return;
  upper_ = cost;
  set_lower(claimed_lower_);
}

void Bounds::take_known_upper() {
  if (!events_.known_upper) return;
  if (const auto known = events_.known_upper()) offer_upper(*known);
}

void Bounds::raise_lower(formats::Weight lower) {
  claimed_lower_ = std::max(claimed_lower_, lower);
  set_lower(claimed_lower_);
}

void Bounds::set_lower(formats::Weight lower) {
  if (upper_) lower = std::min(lower, *upper_);
  if (lower <= lower_) return;
  lower_ = lower;
  events_.raised(lower);
}

}  // namespace bnnplan::maxsat
