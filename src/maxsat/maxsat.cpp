// The run as a whole: load, find a first model, strengthen the objective, search.
//
// The first call has no assumptions: it tells whether there is any model at all, lets the solver preprocess
// undisturbed, and gives an upper bound, a good one because all soft literals are preferred.
#include "maxsat/maxsat.hpp"

#include "maxsat/at_most_one_detection.hpp"
#include "maxsat/bounds.hpp"
#include "maxsat/core_guided.hpp"
#include "maxsat/load_formula.hpp"
#include "maxsat/search.hpp"
#include "maxsat/solution_improving.hpp"

namespace bnnplan {

namespace {

SearchEnd run(const Wcnf& formula, const VariableMap& map, Search& search) {
  if (search.watch.should_stop()) return SearchEnd::stopped;
  switch (search.sat.solve({})) {
    case SatAnswer::stopped:
      return SearchEnd::stopped;
    case SatAnswer::unsatisfiable:
      return SearchEnd::proved;
    case SatAnswer::satisfiable:
      search.bounds.offer_model(search.sat);
  }
  if (search.options.at_most_one_detection) detect_at_most_ones(formula, map, search);
  return search.options.strategy == MaxSatStrategy::core ? search_core_guided(search)
                                                         : search_solution_improving(search);
}

}  // namespace

MaxSatOutcome solve_maxsat(const Wcnf& formula, const MaxSatRequest& request) {
  LimitWatch watch(request.limits);
  SatSolver sat(watch, request.limits.seed, request.options.stable);
  LoadedFormula loaded = load_formula(formula, sat, watch);
  Bounds bounds(formula, loaded.map, request.callbacks);
  MaxSatOutcome outcome;
  Search search{request.options, watch, sat, loaded.objective, bounds, outcome.statistics};
  const SearchEnd end = run(formula, loaded.map, search);

  if (end == SearchEnd::proved) {
    outcome.status = bounds.upper() ? MaxSatStatus::optimal : MaxSatStatus::unsatisfiable;
  } else {
    outcome.status = bounds.upper() ? MaxSatStatus::satisfiable : MaxSatStatus::unknown;
    outcome.stopped = watch.reason();
  }
  outcome.model = bounds.model();
  outcome.cost = bounds.upper();
  outcome.lower_bound = bounds.lower();
  outcome.statistics.sat_calls = sat.calls();
  outcome.statistics.conflicts = sat.conflicts();
  return outcome;
}

}  // namespace bnnplan
