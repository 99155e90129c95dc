#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "maxsat/cost_function.hpp"
#include "maxsat/sat_solver.hpp"

namespace bnnplan {

// Clauses that keep a weighted sum of literals below a bound that only ever falls.
class ObjectiveBound {
 public:
  // sum of the terms; all weights positive. `limit` is what the sum is below anyway, or will be at once.
  ObjectiveBound(std::vector<CostTerm> terms, Weight limit, SatSolver& sat);

  // From now on the sum is at most `largest`. Requires largest < limit, and less than before.
  void restrict(Weight largest, SatSolver& sat);

  bool uses_adder() const { return adder_; }

 private:
  bool build_totalizer(Weight limit, SatSolver& sat);
  void build_adder(SatSolver& sat);

  std::vector<CostTerm> terms_;
  bool adder_ = false;
  std::vector<std::pair<Weight, Lit>> sums_;  // totalizer: "the sum is at least this", ascending
  std::vector<std::vector<Lit>> bits_;        // adder: the bits of the sum; none or one literal each
};

}  // namespace bnnplan
