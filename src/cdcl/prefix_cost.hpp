#pragma once

#include <cstdint>
#include <vector>

#include "cdcl/solver.hpp"

namespace bnnplan {

// The cost of a plan up to each place in time, as literals.
class PrefixCost {
 public:
  // Requires positive weights over different variables, in the order of time. `upper` > 0: only sums below it matter.
  static bool worth_it(const std::vector<WeightedLit>& objective, std::int64_t upper);
  PrefixCost(Solver& solver, const std::vector<WeightedLit>& objective, std::int64_t upper);

  void demand_below(std::int64_t upper);

 private:
  struct Sum {
    std::int64_t value;
    Lit reached;
  };
  Solver& solver_;
  std::vector<Sum> last_;  // at the end, smallest first
};

}  // namespace bnnplan
