// Keeps the best model. A model is read from the solver, checked and stored only if the soft clauses say that
// it is better: reading and checking one of 5 million variables takes a quarter of a second.
#include "maxsat/bounds.hpp"

#include <algorithm>
#include <stdexcept>

#include "maxsat/formula_check.hpp"

namespace bnnplan {

Weight Bounds::cost_in_solver(const SatSolver& sat) const {
  Weight cost = 0;
  for (std::size_t i = 0; i < formula_.soft.size(); ++i) {
    const auto clause = formula_.soft[i];
    const bool satisfied = std::any_of(clause.begin(), clause.end(), [&](Lit lit) {
      return map_.contains(lit.var()) ? sat.value(map_(lit)) : lit.negated();
    });
    if (!satisfied) cost += formula_.weights[i];
  }
  return cost;
}

Weight Bounds::offer_model(const SatSolver& sat) {
  const Weight cost = cost_in_solver(sat);
  if (upper_ && cost >= *upper_) return cost;
  MaxSatModel model(formula_.variables);
  for (std::uint32_t v = 0; v < formula_.variables; ++v) {
    model[v] = map_.contains({v}) && sat.value(map_(Lit::positive({v})));
  }
  if (falsified_hard_clause(formula_, model) || cost_of_model(formula_, model) != cost) {
    throw std::logic_error("the SAT solver gave a model that does not satisfy the hard clauses");
  }
  model_ = std::move(model);
  upper_ = cost;
  if (callbacks_.improvement) callbacks_.improvement(*model_, cost);
  set_lower(claimed_lower_);
  return cost;
}

void Bounds::raise_lower(Weight lower) {
  claimed_lower_ = std::max(claimed_lower_, lower);
  set_lower(claimed_lower_);
}

void Bounds::set_lower(Weight lower) {
  if (upper_) lower = std::min(lower, *upper_);
  if (lower <= lower_) return;
  lower_ = lower;
  if (callbacks_.lower_bound) callbacks_.lower_bound(lower);
}

}  // namespace bnnplan
