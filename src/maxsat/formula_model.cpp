// Reading models from the oracle. A model is read and checked only if the soft clauses show that it is better
// than the best: reading and checking one of 5 million variables takes a quarter of a second.
#include "bnnplan/maxsat/formula_model.hpp"

#include <algorithm>
#include <stdexcept>

#include "bnnplan/maxsat/formula_check.hpp"

namespace bnnplan::maxsat {

formats::Weight cost_in_oracle(const formats::Wcnf& formula, const VariableMap& map,
                               const CoreOracle& oracle) {
  formats::Weight cost = 0;
  for (std::size_t i = 0; i < formula.soft.size(); ++i) {
    const auto clause = formula.soft[i];
    const bool satisfied = std::any_of(clause.begin(), clause.end(), [&](Lit lit) {
      return map.contains(lit.var()) ? oracle.value(map(lit)) : lit.negated();
    });
    if (!satisfied) cost += formula.weights[i];
  }
  return cost;
}

MaxSatModel read_model(const formats::Wcnf& formula, const VariableMap& map, const CoreOracle& oracle,
                       formats::Weight cost) {
  MaxSatModel model(formula.variables);
  for (std::uint32_t v = 0; v < formula.variables; ++v) {
    model[v] = map.contains({v}) && oracle.value(map(Lit::positive({v})));
  }
  if (falsified_hard_clause(formula, model) || cost_of_model(formula, model) != cost) {
    throw std::logic_error("the SAT solver returned a model that does not satisfy the hard clauses");
  }
  return model;
}

}  // namespace bnnplan::maxsat
