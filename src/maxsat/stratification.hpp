#pragma once

#include <cstdint>

#include "bnnplan/maxsat/cost_function.hpp"

namespace bnnplan::maxsat {

// Which cost literals are assumed false: those that weigh at least threshold().
class Stratification {
 public:
  Stratification(const CostFunction& objective, bool enabled);  // disabled: all from the start

  formats::Weight threshold() const { return threshold_; }
  // Whether no positive weight is below the threshold.
  bool complete(const CostFunction& objective) const;
  // Goes down to the next stratum. Requires !complete(objective).
  void lower(const CostFunction& objective);

 private:
  formats::Weight threshold_;
};

}  // namespace bnnplan::maxsat
