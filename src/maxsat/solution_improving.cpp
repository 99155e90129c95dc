// Solution-improving search, also called linear search SAT-UNSAT (Een and Sorensson 2006; Le Berre and
// Parrain 2010).
//
// Encode the objective once, below the cost of the first model; then each model of cost U adds the clauses
// for "at most U - 1". Only the last call is unsatisfiable, and it alone proves optimality. Good where models
// are easily had and where the optimum is far from the lower bound, and it has an answer early; it proves
// nothing until the end, where core-guided search has a lower bound from the start.
#include "maxsat/solution_improving.hpp"

#include <optional>

namespace bnnplan {

SearchEnd search_solution_improving(MaxSatRun& search) {
  search.bounds.raise_lower(search.objective.constant());
  std::optional<CoreOracle::BoundedSum> bounded;
  while (!search.bounds.closed()) {
    search.bounds.take_known_upper();
    if (search.bounds.closed()) break;
    if (const auto upper = search.bounds.upper()) {
      const Weight gap = *upper - search.objective.constant();  // at least 1: the bounds are not closed
      if (bounded) {
        search.oracle.tighten(*bounded, gap - 1);
      } else {
        std::vector<CostTerm> terms;
        for (const CostTerm& term : search.objective.terms()) {
          if (term.weight > 0) terms.push_back(term);
        }
        bounded = search.oracle.add_bounded_sum(std::move(terms), gap - 1);
      }
    }
    switch (search.oracle.solve({})) {
      case SatAnswer::stopped:
        return SearchEnd::stopped;
      case SatAnswer::satisfiable:
        search.bounds.offer_model(search.oracle);
        break;
      case SatAnswer::unsatisfiable:
        if (search.bounds.upper()) search.bounds.raise_lower(*search.bounds.upper());
        return SearchEnd::proved;
    }
  }
  return SearchEnd::proved;
}

}  // namespace bnnplan
