// Solution-improving search, also called linear search SAT-UNSAT (Een and Sorensson 2006; Le Berre and
// Parrain 2010).
//
// Encode the objective once, below the cost of the first model; then each model of cost U adds the clauses
// for "at most U - 1". Only the last call is unsatisfiable, and it alone proves optimality. Good if models
// are easy to find and the optimum is far from the lower bound, and it has an answer early; it proves nothing
// until the end, whereas core-guided search has a lower bound from the start.
#include "bnnplan/maxsat/solution_improving.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace bnnplan::maxsat {

SolutionImproving::SolutionImproving(MaxSatRun& search, std::vector<CostTerm> terms, formats::Weight constant)
    : search_(search), terms_(std::move(terms)), constant_(constant) {
  search_.bounds.raise_lower(constant);
}

SearchEnd SolutionImproving::run(std::optional<std::int64_t> effort) {
  const std::int64_t end =
      effort ? search_.oracle.effort() + *effort : std::numeric_limits<std::int64_t>::max();
  while (true) {
    search_.bounds.take_known_upper();
    if (search_.bounds.closed()) return SearchEnd::proved;
    if (search_.bounds.upper()) demand_better();
    std::optional<int> conflicts;
    if (effort) {
      const std::int64_t left = end - search_.oracle.effort();
      if (left <= 0) return SearchEnd::paused;
      conflicts = static_cast<int>(std::min<std::int64_t>(left, std::numeric_limits<int>::max()));
    }
    switch (search_.oracle.solve({}, conflicts)) {
      case SatAnswer::unknown:
        if (search_.watch.reason() != StopReason::none || !effort) return SearchEnd::stopped;
        return SearchEnd::paused;
      case SatAnswer::satisfiable: {
        const auto demanded = search_.bounds.upper();
        if (const formats::Weight cost = search_.bounds.offer_model(search_.oracle);
            demanded && cost >= *demanded)
          throw std::logic_error("a model that had to be better is not better");
        break;
      }
      case SatAnswer::unsatisfiable:
        if (search_.bounds.upper()) search_.bounds.raise_lower(*search_.bounds.upper());
        return SearchEnd::proved;
    }
  }
}

// Bounds the sum of the terms below that of the best model; the bound is at least 0, as the bounds are not
// closed.
void SolutionImproving::demand_better() {
  const formats::Weight largest = *search_.bounds.upper() - constant_ - 1;
  if (!bounded_) {
    bounded_ = search_.oracle.add_bounded_sum(terms_, largest);
  } else if (largest < largest_) {
    search_.oracle.tighten(*bounded_, largest);
  }
  largest_ = largest;
}

}  // namespace bnnplan::maxsat
