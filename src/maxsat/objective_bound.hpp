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
  ObjectiveBound(std::vector<CostTerm> terms, std::int64_t limit, SatSolver& sat);

  // From now on the sum is at most `largest`. Requires 0 <= largest < limit, and less than before.
  void restrict(std::int64_t largest, SatSolver& sat);

  bool uses_adder() const { return adder_; }

 private:
  bool build_totalizer(std::int64_t limit, SatSolver& sat);
  void build_adder(SatSolver& sat);

  std::vector<CostTerm> terms_;
  bool adder_ = false;
  std::vector<std::pair<std::int64_t, Lit>> sums_;  // totalizer: "the sum is at least this", ascending
  std::vector<std::vector<Lit>> bits_;              // adder: the bits of the sum; none or one literal each
};

}  // namespace bnnplan
