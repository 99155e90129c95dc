// Incremental MaxSAT: one SAT solver for all calls, and an objective that is rebuilt for each, from the
// current weights and the cores that still hold (assuming_oracle.cpp). Rebuilding it takes one pass over
// weights and cores; the expensive parts, finding cores and learning clauses, are not repeated.
//
// At-most-one detection is left out: it examines all clauses, and its groups change with each of them.
#include "bnnplan/maxsat/incremental_maxsat.hpp"

#include <algorithm>
#include <stdexcept>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/maxsat/bounds.hpp"
#include "bnnplan/maxsat/core_guided.hpp"
#include "bnnplan/maxsat/maxsat_run.hpp"

namespace bnnplan::maxsat {

IncrementalMaxSat::IncrementalMaxSat(const MaxSatOptions& options, std::uint64_t seed)
    : options_(options), solver_(no_limits_, seed, options.stable), oracle_(solver_) {}

Lit IncrementalMaxSat::new_variable() {
  in_solver_.push_back(solver_.new_variable());
  weights_.resize(weights_.size() + 2);
  was_costly_.resize(weights_.size());
  return Lit::positive({variables() - 1});
}

void IncrementalMaxSat::add(std::span<const Lit> clause) {
  clauses_.add(clause);
  std::vector<Lit> there;
  for (const Lit literal : clause) there.push_back(in_solver(literal));
  solver_.add(there);
}

void IncrementalMaxSat::set_weight(Lit literal, formats::Weight weight) {
  formats::Weight& current = weights_[literal.code];
  const formats::Weight others = weight_sum_ - current;
  if (weight > formats::largest_weight_sum - others) throw OverflowError();
  weight_sum_ = others + weight;
  current = weight;
  if (was_costly_[literal.code]) return;
  was_costly_[literal.code] = true;
  costly_.push_back(literal);
  solver_.freeze(in_solver(literal));
  solver_.prefer(in_solver(~literal));
}

formats::Weight IncrementalMaxSat::cost_in(const CoreOracle& oracle) const {
  formats::Weight cost = 0;
  for (const Lit literal : costly_) {
    if (oracle.value(in_solver(literal))) cost += weights_[literal.code];
  }
  return cost;
}

// Checks clauses, assumptions and cost on the model that is returned, without relying on the oracle.
MaxSatModel IncrementalMaxSat::read_model(const CoreOracle& oracle, std::span<const Lit> assumptions,
                                          formats::Weight cost) const {
  MaxSatModel model(variables());
  for (std::uint32_t v = 0; v < variables(); ++v) model[v] = oracle.value(in_solver(Lit::positive({v})));
  const auto is_true = [&](Lit literal) { return model[literal.var().index] != literal.negated(); };
  bool right = std::all_of(assumptions.begin(), assumptions.end(), is_true);
  for (std::size_t i = 0; i < clauses_.size() && right; ++i)
    right = std::any_of(clauses_[i].begin(), clauses_[i].end(), is_true);
  for (const Lit literal : costly_) cost -= is_true(literal) ? weights_[literal.code] : 0;
  if (!right || cost != 0)
    throw std::logic_error("the SAT solver returned a model that does not satisfy the formula");
  return model;
}

MaxSatOutcome IncrementalMaxSat::solve(std::span<const Lit> assumptions, const Request& request) {
  LimitWatch watch(request.limits);
  solver_.watch_by(watch, request.should_stop);
  const std::int64_t calls_before = solver_.calls(), conflicts_before = solver_.conflicts();
  std::vector<Lit> assumed;
  for (const Lit literal : assumptions) {
    assumed.push_back(in_solver(literal));
    solver_.freeze(assumed.back());
  }
  oracle_.begin_search(assumed);

  MaxSatOutcome outcome;
  BoundEvents events;
  events.cost = [&](const CoreOracle& from) { return cost_in(from); };
  events.improved = [&](const CoreOracle& from, formats::Weight cost) {
    outcome.model = read_model(from, assumptions, cost);
    outcome.cost = cost;
    if (request.callbacks.improvement) request.callbacks.improvement(*outcome.model, cost);
  };
  events.raised = [&](formats::Weight lower) {
    if (request.callbacks.lower_bound) request.callbacks.lower_bound(lower);
  };
  events.known_upper = request.callbacks.known_upper;
  Bounds bounds(std::move(events));
  CostFunction objective;
  for (const Lit literal : costly_) objective.add(in_solver(literal), weights_[literal.code]);
  MaxSatRun search{options_, watch, oracle_, objective, bounds, outcome.statistics};

  const auto run = [&] {
    switch (oracle_.solve({})) {
      case SatAnswer::unknown:
        return SearchEnd::stopped;
      case SatAnswer::unsatisfiable:
        return SearchEnd::proved;
      case SatAnswer::satisfiable:
        bounds.offer_model(oracle_);
    }
    if (request.first) return SearchEnd::paused;
    CoreGuidedSearch core_guided(search);
    reused_cores_ = core_guided.take_known_cores(oracle_.known_cores());
    return core_guided.run();
  };
  reused_cores_ = 0;
  const SearchEnd end = run();
  oracle_.end_search();
  solver_.watch_by(no_limits_, nullptr);

  if (end == SearchEnd::stopped) outcome.stopped = watch.reason();
  const bool best = outcome.cost == bounds.upper();
  if (end == SearchEnd::proved && best) {
    outcome.status = outcome.model ? Status::optimal : Status::infeasible;
  } else {
    outcome.status = outcome.model ? Status::feasible : Status::unknown;
  }
  outcome.lower_bound = bounds.lower();
  outcome.statistics.sat_calls = solver_.calls() - calls_before;
  outcome.statistics.conflicts = solver_.conflicts() - conflicts_before;
  return outcome;
}

}  // namespace bnnplan::maxsat
