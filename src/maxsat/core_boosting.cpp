// Core boosting (Berg, Demirovic and Stuckey 2019).
//
// Cores turn the objective into a smaller problem: a large constant, and few counters with small weights.
// Demanding better models of that is easier than of the original objective. Here the two alternate, each turn
// as long as the other's and twice as long as the turn before, and share bounds: cores continue to raise the
// lower one, and what better models rule out is hardened.
//
// Only if the sum is a totalizer: an adder hardly propagates, and then cores alone are better (weights up to
// 2^50: 3 of 8 formulas in a second with an adder, 6 without). Of 8 circuits with weights up to 8, 4 instead
// of 2 are proved in a second; other families differ little (docs/maxsat.md).
#include "bnnplan/maxsat/core_boosting.hpp"

#include <optional>
#include <utility>

#include "bnnplan/maxsat/core_guided.hpp"
#include "bnnplan/maxsat/objective_bound.hpp"
#include "bnnplan/maxsat/solution_improving.hpp"

namespace bnnplan::maxsat {

SearchEnd search_by_cores(MaxSatRun& search) {
  CoreGuidedSearch cores(search);
  if (!search.options.boosting) return cores.run();
  // Over what the cores of the first turn have made of the objective.
  std::optional<SolutionImproving> improving;
  for (std::int64_t effort = *search.options.boosting;; effort *= 2) {
    SearchEnd end = cores.run({.effort = effort, .call_conflicts = {}});
    if (end != SearchEnd::paused) return end;
    if (!improving) {
      auto cost = cores.whole_cost();
      if (!cost && search.bounds.upper()) search.bounds.raise_lower(*search.bounds.upper());
      if (!cost || search.bounds.closed()) return SearchEnd::proved;
      if (search.bounds.upper() &&
          !fits_totalizer(*cost, *search.bounds.upper() - search.objective.constant()))
        return cores.run();
      improving.emplace(search, std::move(*cost), search.objective.constant());
    }
    end = improving->run(effort);
    if (end != SearchEnd::paused) return end;
  }
}

}  // namespace bnnplan::maxsat
