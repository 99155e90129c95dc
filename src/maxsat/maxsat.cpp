// The run as a whole: load, find a first model, strengthen the objective, search.
//
// The first call has no assumptions: it shows whether there is any model at all, lets the solver preprocess
// undisturbed, and gives an upper bound, a good one because all soft literals are preferred.
#include "bnnplan/maxsat/maxsat.hpp"

#include "bnnplan/maxsat/at_most_one_detection.hpp"
#include "bnnplan/maxsat/bounds.hpp"
#include "bnnplan/maxsat/core_boosting.hpp"
#include "bnnplan/maxsat/formula_model.hpp"
#include "bnnplan/maxsat/load_formula.hpp"
#include "bnnplan/maxsat/maxsat_run.hpp"
#include "bnnplan/maxsat/sat_solver.hpp"
#include "bnnplan/maxsat/solution_improving.hpp"

namespace bnnplan::maxsat {

namespace {

SearchEnd improve(MaxSatRun& search) {
  return SolutionImproving(search, search.objective.costly_terms(), search.objective.constant()).run();
}

SearchEnd run(const formats::Wcnf& formula, const VariableMap& map, MaxSatRun& search) {
  if (search.watch.should_stop()) return SearchEnd::stopped;
  switch (search.oracle.solve({})) {
    case SatAnswer::unknown:
      return SearchEnd::stopped;
    case SatAnswer::unsatisfiable:
      return SearchEnd::proved;
    case SatAnswer::satisfiable:
      search.bounds.offer_model(search.oracle);
  }
  if (search.options.at_most_one_detection) detect_at_most_ones(formula, map, search);
  return search.options.strategy == MaxSatStrategy::core ? search_by_cores(search) : improve(search);
}

}  // namespace

MaxSatOutcome solve_maxsat(const formats::Wcnf& formula, const MaxSatRequest& request) {
  LimitWatch watch(request.limits);
  SatSolver sat(watch, request.limits.seed, request.options.stable);
  return solve_maxsat(formula, request, sat, watch);
}

MaxSatOutcome solve_maxsat(const formats::Wcnf& formula, const MaxSatRequest& request, CoreOracle& oracle,
                           LimitWatch& watch) {
  LoadedFormula loaded = load_formula(formula, oracle, watch);
  MaxSatOutcome outcome;
  BoundEvents events;
  events.cost = [&](const CoreOracle& from) { return cost_in_oracle(formula, loaded.map, from); };
  events.improved = [&](const CoreOracle& from, formats::Weight cost) {
    outcome.model = read_model(formula, loaded.map, from, cost);
    outcome.cost = cost;
    if (request.callbacks.improvement) request.callbacks.improvement(*outcome.model, cost);
  };
  events.raised = [&](formats::Weight lower) {
    if (request.callbacks.lower_bound) request.callbacks.lower_bound(lower);
  };
  events.known_upper = request.callbacks.known_upper;
  Bounds bounds(std::move(events));
  MaxSatRun search{request.options, watch, oracle, loaded.objective, bounds, outcome.statistics};
  const SearchEnd end = run(formula, loaded.map, search);

  if (end != SearchEnd::proved) outcome.stopped = watch.reason();
  const bool best = outcome.cost == bounds.upper();  // no better one is known elsewhere
  if (end == SearchEnd::proved && best) {
    outcome.status = outcome.model ? Status::optimal : Status::infeasible;
  } else {
    outcome.status = outcome.model ? Status::feasible : Status::unknown;
  }
  outcome.lower_bound = bounds.lower();
  outcome.statistics.sat_calls = oracle.calls();
  outcome.statistics.conflicts = oracle.conflicts();
  return outcome;
}

}  // namespace bnnplan::maxsat
