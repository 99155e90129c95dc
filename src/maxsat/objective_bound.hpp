#pragma once

#include <vector>

#include "bnnplan/encode/clause_sink.hpp"
#include "bnnplan/encode/weighted_sum.hpp"
#include "bnnplan/maxsat/cost_function.hpp"

namespace bnnplan::maxsat {

// Whether a sum below `limit` fits into a totalizer of reasonable size, which propagates everything;
// otherwise it is an adder, which hardly propagates.
bool fits_totalizer(std::vector<CostTerm> terms, formats::Weight limit);

// Clauses that keep a weighted sum of literals below a bound that only ever falls.
class ObjectiveBound {
 public:
  // The sum of the terms; all weights positive. `limit`: the sum is below it anyway, or will be at once.
  ObjectiveBound(std::vector<CostTerm> terms, formats::Weight limit, encoding::ClauseSink& sink);

  // From now on the sum is at most `largest`. Requires largest < limit, and less than before.
  void restrict(formats::Weight largest, encoding::ClauseSink& sink);

  // The literals that restrict() uses in clauses.
  std::vector<Lit> literals() const;

  bool uses_adder() const { return adder_; }

 private:
  bool adder_ = false;
  encoding::UnarySum sums_;   // totalizer: the values that are still possible
  encoding::BinarySum bits_;  // adder
};

}  // namespace bnnplan::maxsat
