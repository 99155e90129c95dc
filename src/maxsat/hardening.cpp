// Hardening (Ansotegui, Bonet, Gabas and Levy 2012; Morgado, Heras and Marques-Silva 2012).
//
// The cost is at least constant + weight(c) whenever the cost literal c is true. If that is not below the
// cost of the best model, c is false in every better one and becomes a unit clause: one assumption fewer in
// all later calls, and a fact that the solver can simplify with. The literature requires "above the cost" and
// keeps the formula equivalent; with the best model in hand "not below" is correct as well, and stronger
// where it matters: with equal weights everything hardens when the bounds are 1 apart.
#include "bnnplan/maxsat/hardening.hpp"

namespace bnnplan::maxsat {

void harden(MaxSatRun& search) {
  const auto upper = search.bounds.upper();
  if (!upper) return;
  const formats::Weight affordable = *upper - search.objective.constant();  // weights must be below this
  std::vector<Lit> hardened;
  for (const CostTerm& term : search.objective.terms()) {
    if (term.weight > 0 && term.weight >= affordable) hardened.push_back(term.literal);
  }
  if (!hardened.empty()) search.oracle.about_to_harden();
  for (const Lit literal : hardened) {
    search.oracle.exclude(literal);
    search.objective.reduce(literal, search.objective.weight(literal));
  }
  search.statistics.hardened += static_cast<std::int64_t>(hardened.size());
}

}  // namespace bnnplan::maxsat
