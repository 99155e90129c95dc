#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "bnnplan/maxsat/effort_share.hpp"
#include "bnnplan/maxsat/known_core.hpp"
#include "bnnplan/maxsat/maxsat_run.hpp"
#include "bnnplan/maxsat/stratification.hpp"

namespace bnnplan::maxsat {

// Core-guided search: proves that cost after cost is impossible until a model of the next cost is found.
// Requires that the hard clauses have a model or that this is not known yet. It can be run in turns: run()
// resumes where the previous call paused, and uses whatever was added to the oracle or to the bounds in
// between.
class CoreGuidedSearch {
 public:
  explicit CoreGuidedSearch(MaxSatRun& search);  // keeps a reference

  // Uses cores of an earlier search over the same oracle; call it before the first run(), with the cores in
  // the order in which they were found. Skips cores with a literal that costs nothing (any more). Returns how
  // many were used.
  std::size_t take_known_cores(std::span<const KnownCore> cores);

  // The limits of one turn, which then ends `paused`.
  struct Turn {
    std::optional<std::int64_t> effort;  // approximately, in units of CoreOracle::effort
    std::optional<int> call_conflicts;   // of a single call of the oracle
  };
  SearchEnd run() { return run(Turn{}); }
  SearchEnd run(const Turn& turn);

  // Between two runs: the objective with everything that the search omits because the present terms imply it,
  // so that together with the objective's constant it is the cost of every model better than the best.
  // Nothing if no better model exists.
  std::optional<std::vector<CostTerm>> whole_cost();

 private:
  struct Core {
    std::vector<Lit> cost_literals;  // at least one is true
    formats::Weight weight = 0;
  };
  struct Output {  // of a counter
    std::size_t counter = 0, count = 0;
  };
  // Every output above `bound` of a counter costs `weight`, minus what cores have taken of it. Outputs enter
  // the objective one by one, perhaps in parts; `listed` is the weight that each has there.
  struct CounterCost {
    formats::Weight weight = 0;
    std::size_t bound = 0;
    std::vector<formats::Weight> listed;  // by count - bound - 1
  };

  SearchEnd no_better_model();
  std::vector<Lit> assumptions() const;
  std::optional<int> most_conflicts(std::int64_t left) const;  // of the next call; nothing: unlimited
  // All functions below return false if it turns out that no better model exists.
  bool take_core();
  bool relax_waiting_cores();
  bool relax(const Core& core);
  void replace_outputs(const Core& core);
  void add_counter_cost(const Core& core, std::size_t bound);
  void add_output(std::size_t counter, std::size_t count, formats::Weight weight);

  MaxSatRun& search_;
  Stratification stratification_;
  EffortShare minimisation_share_, exhaustion_share_;
  std::vector<Core> waiting_;  // cores whose weight is in the constant, but that have no counter yet
  std::vector<CoreOracle::Counter> counters_;
  std::vector<CounterCost> counter_costs_;
  std::unordered_map<std::uint32_t, Output> outputs_;  // by code of the literal
};

}  // namespace bnnplan::maxsat
