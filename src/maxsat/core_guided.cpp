// OLL: core-guided search with soft counters (Andres, Kaufmann, Matheis and Schaub 2012 for answer sets; for
// MaxSAT with totalizers: Morgado, Dodaro and Marques-Silva 2014).
//
// Assume that all cost literals are false. If that has a model, it costs the constant of the objective and is
// optimal. If not, the solver names a core: cost literals c_1 .. c_n of which at least one is true. With w
// the least of their weights,
//   w c_1 + ... + w c_n  =  w + w o_2 + ... + w o_n        o_k: at least k of c_1 .. c_n are true
// so w goes into the constant, the lower bound, and the outputs of a totalizer become cost literals in place
// of the c_i. Of the outputs only o_2 is needed at first: the others imply it. When o_k itself is in a core,
// o_(k+1) takes its place there.
//
// Weight-aware core extraction (Berg and Jarvisalo 2017): the counter of a core is only needed when the rest
// has a model. Until then cores are collected and their weights reduced, which with equal weights means
// disjoint cores first. Calls have fewer assumptions, cores stay small, and the model at the end of each
// round improves the upper bound. Here a round goes through all strata before the counters of its cores are
// built, and the next one starts with the heaviest again.
#include "bnnplan/maxsat/core_guided.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "bnnplan/maxsat/core_exhaustion.hpp"
#include "bnnplan/maxsat/core_minimisation.hpp"
#include "bnnplan/maxsat/hardening.hpp"

namespace bnnplan::maxsat {

CoreGuidedSearch::CoreGuidedSearch(MaxSatRun& search)
    : search_(search),
      stratification_(search.objective, search.options.stratification),
      minimisation_share_(0.3, search.oracle),
      exhaustion_share_(0.2, search.oracle) {}

SearchEnd CoreGuidedSearch::run(const Turn& turn) {
  constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();
  const std::int64_t end = turn.effort ? search_.oracle.effort() + *turn.effort : no_end;
  search_.call_conflicts = turn.call_conflicts;
  while (true) {
    search_.bounds.take_known_upper();
    search_.bounds.raise_lower(search_.objective.constant());
    if (search_.bounds.closed()) return SearchEnd::proved;
    if (search_.options.hardening) harden(search_);
    const std::int64_t left = end == no_end ? no_end : end - search_.oracle.effort();
    if (left <= 0) return SearchEnd::paused;
    switch (search_.oracle.solve(assumptions(), most_conflicts(left))) {
      case SatAnswer::unknown:
        if (search_.watch.reason() != StopReason::none) return SearchEnd::stopped;
        // Not all cores were found, but use those there are.
        if (!search_.options.extraction_conflicts || waiting_.empty()) return SearchEnd::paused;
        if (!relax_waiting_cores()) return no_better_model();
        break;
      case SatAnswer::satisfiable:
        search_.bounds.offer_model(search_.oracle);
        if (!stratification_.complete(search_.objective)) {
          stratification_.lower(search_.objective);
        } else if (!waiting_.empty()) {
          if (!relax_waiting_cores()) return no_better_model();
        } else if (!search_.bounds.closed()) {
          throw std::logic_error("a model without cost literals costs more than the lower bound");
        }
        break;
      case SatAnswer::unsatisfiable:
        if (!take_core()) return no_better_model();
        break;
    }
  }
}

std::optional<int> CoreGuidedSearch::most_conflicts(std::int64_t left) const {
  constexpr std::int64_t any = std::numeric_limits<int>::max();
  std::int64_t most = std::min<std::int64_t>(left, search_.call_conflicts.value_or(any));
  if (!waiting_.empty())
    most = std::min<std::int64_t>(most, search_.options.extraction_conflicts.value_or(any));
  return most >= any ? std::nullopt : std::optional(static_cast<int>(most));
}

SearchEnd CoreGuidedSearch::no_better_model() {
  if (search_.bounds.upper()) search_.bounds.raise_lower(*search_.bounds.upper());
  return SearchEnd::proved;
}

std::vector<Lit> CoreGuidedSearch::assumptions() const {
  std::vector<CostTerm> terms;
  for (const CostTerm& term : search_.objective.terms()) {
    if (term.weight > 0 && term.weight >= stratification_.threshold()) terms.push_back(term);
  }
  std::stable_sort(terms.begin(), terms.end(),
                   [](const CostTerm& a, const CostTerm& b) { return a.weight > b.weight; });
  std::vector<Lit> result;
  for (const CostTerm& term : terms) result.push_back(~term.literal);
  return result;
}

bool CoreGuidedSearch::take_core() {
  std::vector<Lit> assumed = search_.oracle.core();
  if (search_.options.core_minimisation && assumed.size() > 1) {
    assumed = minimise_core(std::move(assumed), search_, minimisation_share_);
  }
  if (assumed.empty()) return false;
  Core core;
  core.weight = std::numeric_limits<formats::Weight>::max();
  for (const Lit literal : assumed) {
    core.cost_literals.push_back(~literal);
    core.weight = std::min(core.weight, search_.objective.weight(~literal));
  }
  for (const Lit literal : core.cost_literals) search_.objective.reduce(literal, core.weight);
  search_.objective.add_constant(core.weight);
  search_.oracle.took_core(core.cost_literals, core.weight);
  ++search_.statistics.cores;
  search_.statistics.core_literals += static_cast<std::int64_t>(core.cost_literals.size());
  waiting_.push_back(std::move(core));
  return search_.options.weight_aware_extraction || relax_waiting_cores();
}

bool CoreGuidedSearch::relax_waiting_cores() {
  for (const Core& core : std::exchange(waiting_, {})) {
    if (!relax(core)) return false;
  }
  if (search_.options.weight_aware_extraction)
    stratification_ = Stratification(search_.objective, search_.options.stratification);
  return true;
}

bool CoreGuidedSearch::relax(const Core& core) {
  replace_outputs(core);
  search_.oracle.add_core(core.cost_literals);
  if (core.cost_literals.size() == 1) return true;
  counters_.push_back(search_.oracle.add_counter(core.cost_literals));
  std::size_t bound = 1;
  if (search_.options.core_exhaustion) {
    bound = exhaust_core(counters_.back(), bound, search_, exhaustion_share_);
    if (bound > core.cost_literals.size()) return false;
  }
  add_counter_cost(core, bound);
  return true;
}

// The next output replaces each counter output that is in the core.
void CoreGuidedSearch::replace_outputs(const Core& core) {
  for (const Lit literal : core.cost_literals) {
    const auto output = outputs_.find(literal.code);
    if (output != outputs_.end()) add_output(output->second.counter, output->second.count + 1, core.weight);
  }
}

// At least `bound` inputs of the last counter, that of the core, are true; one of them is in the constant
// already.
void CoreGuidedSearch::add_counter_cost(const Core& core, std::size_t bound) {
  search_.objective.add_constant(core.weight * static_cast<formats::Weight>(bound - 1));
  search_.bounds.raise_lower(search_.objective.constant());
  counter_costs_.push_back({core.weight, bound, {}});
  add_output(counters_.size() - 1, bound + 1, core.weight);
}

std::optional<std::vector<CostTerm>> CoreGuidedSearch::whole_cost() {
  if (!relax_waiting_cores()) return std::nullopt;
  CostFunction whole = search_.objective;
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    const CounterCost& cost = counter_costs_[i];
    formats::Weight paid = 0;  // if the output is true: all outputs below it are true as well
    for (std::size_t count = cost.bound + 1; count <= counters_[i].size; ++count) {
      const Lit output = search_.oracle.output(counters_[i], count);
      const std::size_t place = count - cost.bound - 1;
      whole.add(output, cost.weight - (place < cost.listed.size() ? cost.listed[place] : 0));
      paid += whole.weight(output);
      const auto upper = search_.bounds.upper();
      if (!upper || paid < *upper - search_.objective.constant()) continue;
      search_.oracle.exclude(output);  // which excludes those above as well
      break;
    }
  }
  return whole.costly_terms();
}

std::size_t CoreGuidedSearch::take_known_cores(std::span<const KnownCore> cores) {
  std::size_t used = 0;
  for (const KnownCore& known : cores) {
    Core core{{known.cost_literals.begin(), known.cost_literals.end()},
              std::numeric_limits<formats::Weight>::max()};
    for (const Lit literal : core.cost_literals)
      core.weight = std::min(core.weight, search_.objective.weight(literal));
    if (core.weight == 0) continue;
    ++used;
    for (const Lit literal : core.cost_literals) search_.objective.reduce(literal, core.weight);
    search_.objective.add_constant(core.weight);
    replace_outputs(core);
    if (core.cost_literals.size() == 1) continue;
    counters_.push_back(search_.oracle.add_counter(core.cost_literals));
    add_counter_cost(core, known.count);
  }
  stratification_ = Stratification(search_.objective, search_.options.stratification);
  return used;
}

// The counter's output "at least `count`" costs `weight`, if there is such an output.
void CoreGuidedSearch::add_output(std::size_t counter, std::size_t count, formats::Weight weight) {
  if (count > counters_[counter].size) return;
  const Lit output = search_.oracle.output(counters_[counter], count);
  outputs_.try_emplace(output.code, Output{counter, count});
  CounterCost& cost = counter_costs_[counter];
  const std::size_t place = count - cost.bound - 1;
  if (place >= cost.listed.size()) cost.listed.resize(place + 1, 0);
  cost.listed[place] += weight;
  search_.objective.add(output, weight);
}

}  // namespace bnnplan::maxsat
