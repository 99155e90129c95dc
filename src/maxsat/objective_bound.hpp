#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "encode/clause_sink.hpp"
#include "maxsat/cost_function.hpp"

namespace bnnplan {

// Clauses that keep a weighted sum of literals below a bound that only ever falls.
class ObjectiveBound {
 public:
  // sum of the terms; all weights positive. `limit` is what the sum is below anyway, or will be at once.
  ObjectiveBound(std::vector<CostTerm> terms, Weight limit, ClauseSink& sink);

  // From now on the sum is at most `largest`. Requires largest < limit, and less than before.
  void restrict(Weight largest, ClauseSink& sink);

  // What restrict() writes clauses of.
  std::vector<Lit> literals() const;

  bool uses_adder() const { return adder_; }

 private:
  bool build_totalizer(Weight limit, ClauseSink& sink);
  void build_adder(ClauseSink& sink);

  std::vector<CostTerm> terms_;
  bool adder_ = false;
  std::vector<std::pair<Weight, Lit>> sums_;  // totalizer: "the sum is at least this", ascending
  std::vector<std::vector<Lit>> bits_;        // adder: the bits of the sum; none or one literal each
};

}  // namespace bnnplan
