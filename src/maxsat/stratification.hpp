#pragma once

#include <cstdint>

#include "maxsat/cost_function.hpp"

namespace bnnplan {

// Which cost literals are assumed false: those that weigh at least threshold().
class Stratification {
 public:
  Stratification(const CostFunction& objective, bool enabled);  // disabled: all from the start

  std::int64_t threshold() const { return threshold_; }
  // Nothing of positive weight is below the threshold.
  bool complete(const CostFunction& objective) const;
  // Goes down to the next stratum. Requires !complete(objective).
  void lower(const CostFunction& objective);

 private:
  std::int64_t threshold_;
};

}  // namespace bnnplan
