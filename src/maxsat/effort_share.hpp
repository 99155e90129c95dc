#pragma once

#include <cstdint>

#include "bnnplan/maxsat/core_oracle.hpp"

namespace bnnplan::maxsat {

// Limits a side job (minimising cores, for example) to a share of the total effort: it may start as long as
//   effort of the side job <= allowance + share * effort of the rest.
// Counted in conflicts, not in seconds, so it is the same in every run. The allowance hardly limits small
// formulas; a conflict in a formula of a million variables takes 10 ms, so there it is next to nothing.
class EffortShare {
 public:
  EffortShare(double share, const CoreOracle& oracle)
      : share_(share), allowance_(5000 / (1 + oracle.variables() / 10'000)) {}

  bool may_spend(const CoreOracle& oracle) const {
    return static_cast<double>(spent_) <= allowance_ + share_ * static_cast<double>(oracle.effort() - spent_);
  }
  void spend(std::int64_t effort) { spent_ += effort; }

 private:
  double share_;
  double allowance_;
  std::int64_t spent_ = 0;
};

}  // namespace bnnplan::maxsat
