// The check that every reported model passes: a plain walk over the clauses as given. It shares no code with
// the search, and the reported cost is the one computed here. 10^7 clauses take about 0.05 seconds, so only
// models that improve the cost are checked in full.
#include "bnnplan/maxsat/formula_check.hpp"

#include <algorithm>

namespace bnnplan::maxsat {

namespace {

bool satisfied(std::span<const Lit> clause, const MaxSatModel& model) {
  return std::any_of(clause.begin(), clause.end(),
                     [&](Lit lit) { return model[lit.var().index] != lit.negated(); });
}

}  // namespace

formats::Weight cost_of_model(const formats::Wcnf& formula, const MaxSatModel& model) {
  formats::Weight cost = 0;
  for (std::size_t i = 0; i < formula.soft.size(); ++i) {
    if (!satisfied(formula.soft[i], model)) cost += formula.weights[i];
  }
  return cost;
}

std::optional<std::size_t> falsified_hard_clause(const formats::Wcnf& formula, const MaxSatModel& model) {
  for (std::size_t i = 0; i < formula.hard.size(); ++i) {
    if (!satisfied(formula.hard[i], model)) return i;
  }
  return std::nullopt;
}

}  // namespace bnnplan::maxsat
