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
#include "maxsat/core_guided.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "maxsat/core_exhaustion.hpp"
#include "maxsat/core_minimisation.hpp"
#include "maxsat/hardening.hpp"
#include "maxsat/stratification.hpp"

namespace bnnplan {

namespace {

class CoreGuidedSearch {
 public:
  explicit CoreGuidedSearch(Search& search)
      : search_(search),
        stratification_(search.objective, search.options.stratification),
        minimisation_share_(0.3, search.oracle),
        exhaustion_share_(0.2, search.oracle) {}

  SearchEnd run() {
    while (true) {
      search_.bounds.raise_lower(search_.objective.constant());
      if (search_.bounds.closed()) return SearchEnd::proved;
      if (search_.options.hardening) harden(search_);
      switch (search_.oracle.solve(assumptions())) {
        case SatAnswer::stopped:
          return SearchEnd::stopped;
        case SatAnswer::satisfiable:
          search_.bounds.offer_model(search_.oracle);
          if (!stratification_.complete(search_.objective)) {
            stratification_.lower(search_.objective);
          } else if (!waiting_.empty()) {
            if (!relax_waiting_cores()) return no_better_model();
            stratification_ = Stratification(search_.objective, search_.options.stratification);
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

 private:
  struct Core {
    std::vector<Lit> cost_literals;  // at least one is true
    Weight weight = 0;
  };
  struct Output {  // of a counter
    std::size_t counter = 0, count = 0;
  };

  SearchEnd no_better_model() {
    if (search_.bounds.upper()) search_.bounds.raise_lower(*search_.bounds.upper());
    return SearchEnd::proved;
  }

  std::vector<Lit> assumptions() const {
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

  // All functions below return false if it turns out that no better model exists.

  bool take_core() {
    std::vector<Lit> assumed = search_.oracle.core();
    if (search_.options.core_minimisation && assumed.size() > 1) {
      assumed = minimise_core(std::move(assumed), search_, minimisation_share_);
    }
    if (assumed.empty()) return false;
    Core core;
    core.weight = std::numeric_limits<Weight>::max();
    for (const Lit literal : assumed) {
      core.cost_literals.push_back(~literal);
      core.weight = std::min(core.weight, search_.objective.weight(~literal));
    }
    for (const Lit literal : core.cost_literals) search_.objective.reduce(literal, core.weight);
    search_.objective.add_constant(core.weight);
    ++search_.statistics.cores;
    search_.statistics.core_literals += static_cast<std::int64_t>(core.cost_literals.size());
    waiting_.push_back(std::move(core));
    return search_.options.weight_aware_extraction || relax_waiting_cores();
  }

  bool relax_waiting_cores() {
    for (const Core& core : std::exchange(waiting_, {})) {
      if (!relax(core)) return false;
    }
    return true;
  }

  bool relax(const Core& core) {
    for (const Lit literal : core.cost_literals) {
      const auto output = outputs_.find(literal.code);
      if (output != outputs_.end()) add_output(output->second.counter, output->second.count + 1, core.weight);
    }
    search_.oracle.add(core.cost_literals);
    if (core.cost_literals.size() == 1) return true;
    counters_.push_back(search_.oracle.add_counter(core.cost_literals));
    std::size_t bound = 1;
    if (search_.options.core_exhaustion) {
      bound = exhaust_core(counters_.back(), bound, search_, exhaustion_share_);
      if (bound > core.cost_literals.size()) return false;
      search_.objective.add_constant(core.weight * static_cast<Weight>(bound - 1));
      search_.bounds.raise_lower(search_.objective.constant());
    }
    add_output(counters_.size() - 1, bound + 1, core.weight);
    return true;
  }

  // The counter's output "at least `count`" costs `weight`, if there is such an output.
  void add_output(std::size_t counter, std::size_t count, Weight weight) {
    if (count > counters_[counter].size) return;
    const Lit output = search_.oracle.output(counters_[counter], count);
    outputs_.try_emplace(output.code, Output{counter, count});
    search_.objective.add(output, weight);
  }

  Search& search_;
  Stratification stratification_;
  EffortShare minimisation_share_, exhaustion_share_;
  std::vector<Core> waiting_;  // cores whose weight is in the constant, but that have no counter yet
  std::vector<CoreOracle::Counter> counters_;
  std::unordered_map<std::uint32_t, Output> outputs_;  // by code of the literal
};

}  // namespace

SearchEnd search_core_guided(Search& search) { return CoreGuidedSearch(search).run(); }

}  // namespace bnnplan
