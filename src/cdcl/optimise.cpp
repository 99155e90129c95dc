// Minimising, by two solvers that take turns on one thread.
//
//   improving   find a solution, demand a better one, by a chain along time (prefix_cost.cpp) or the native
//               bound row, until there is none; decisions in the order of time
//   cores       core-guided search (maxsat/core_guided.cpp) with native counters; decisions by activity
//
// Each learns the other's bounds at once and the other's short clauses between turns. A clause of one follows
// from the model and from the demand for something better than the best known value, which both make: one by
// its row, the other by hardening (maxsat/hardening.cpp), because a row over the whole objective would be
// part of every core. So it holds for the other as well. Clauses over counters are not exchanged.
//
// Turns are counted in conflicts, so a run is the same every time. They grow, so that switching costs little.
// Cores come first, as long as none of them takes more than a few conflicts: problems that are only about
// counting they prove at once. Their share doubles with each turn in which they raised the lower bound, and
// halves with each in which they did not.
//
// Before them improving search may get some conflicts (improving_first). With a network most published
// problems are proved within 500; if a known solution is probably the best, as for the fewest pixels to
// change, it refutes the rest in 773 conflicts, while cores of 800 literals each took 15 s before it had its
// turn.
#include "bnnplan/cdcl/optimise.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <utility>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/cdcl/native_oracle.hpp"
#include "bnnplan/cdcl/prefix_cost.hpp"
#include "bnnplan/maxsat/core_guided.hpp"

namespace bnnplan::cdcl {

namespace {

constexpr std::int64_t no_upper = std::numeric_limits<std::int64_t>::max();
constexpr double least_share = 1.0 / 16, largest_share = 16;  // relative to the initial share of cores
// Cores that take more conflicts than this wait until the others have their counters.
constexpr int conflicts_while_cores_wait = 100;
constexpr std::size_t most_chain_variables = 20'000;

// sum of weight * literal <= value - 1, for ever smaller values: by a row, and by a chain along time as soon
// as that is not too large.
class BetterThan {
 public:
  BetterThan(Solver& solver, std::vector<WeightedLit> objective, bool along_time)
      : solver_(solver), along_time_(along_time), objective_(std::move(objective)) {
    // Variables are numbered in the order of time.
    std::sort(objective_.begin(), objective_.end(),
              [](const WeightedLit& a, const WeightedLit& b) { return a.literal < b.literal; });
    std::vector<WeightedLit> saved;
    for (const WeightedLit& term : objective_) {
      saved.push_back({term.coefficient, ~term.literal});
      most_ = checked_add(most_, term.coefficient);
    }
    row_ = solver.add_movable_row(std::move(saved), 0);
  }

  void demand(std::int64_t value) {
    if (!chain_ && along_time_ && value > 0 &&
        PrefixCost::size(objective_, value, most_chain_variables) <= most_chain_variables) {
      chain_.emplace(solver_, objective_, value);
    }
    if (chain_ && value > 0) {
      chain_->demand_below(value);
    } else {
      solver_.raise_bound(row_, most_ - value + 1);
    }
  }

 private:
  Solver& solver_;
  bool along_time_;
  std::vector<WeightedLit> objective_;
  std::optional<PrefixCost> chain_;
  std::int64_t most_ = 0;
  std::uint32_t row_ = 0;
};

maxsat::MaxSatOptions options_of_search() {
  maxsat::MaxSatOptions options;
  options.extraction_conflicts = conflicts_while_cores_wait;
  return options;
}

// The state of core-guided search.
struct CoreSide {
  CoreSide(Solver& the_solver, const std::vector<WeightedLit>& objective, maxsat::Bounds& bounds,
           LimitWatch& watch)
      : solver(the_solver),
        cost(cost_of(objective, solver.options().seed)),
        search{options, watch, oracle, cost, bounds, statistics},
        guided(search) {}

  // A seed changes the order of the terms, and so the cores and plans found.
  static maxsat::CostFunction cost_of(std::vector<WeightedLit> terms, std::uint64_t seed) {
    if (seed != 0) {
      const auto key = [&](const WeightedLit& term) {
        return (term.literal.code + seed) * 0x9e3779b97f4a7c15u;
      };
      std::sort(terms.begin(), terms.end(),
                [&](const WeightedLit& a, const WeightedLit& b) { return key(a) < key(b); });
    }
    maxsat::CostFunction cost;
    for (const WeightedLit& term : terms)
      cost.add(term.literal, static_cast<formats::Weight>(term.coefficient));
    return cost;
  }

  Solver& solver;
  NativeOracle oracle{solver};
  maxsat::CostFunction cost;
  maxsat::MaxSatOptions options = options_of_search();
  maxsat::MaxSatStatistics statistics;
  maxsat::MaxSatRun search;
  maxsat::CoreGuidedSearch guided;
};

class Optimiser {
 public:
  Optimiser(const OptimiseSolvers& solvers, const std::vector<WeightedLit>& objective,
            const OptimiseOptions& options, const OptimiseEvents& events, LimitWatch& watch)
      : solvers_(solvers),
        objective_(objective),
        options_(options),
        events_(events),
        watch_(watch),
        bounds_(bound_events()) {
    assert(solvers.improving != nullptr || solvers.cores != nullptr);
    if (solvers_.improving != nullptr) {
      better_.emplace(*solvers_.improving, objective, options.along_time);
      solvers_.improving->pause = [this] { return look(); };
    }
    if (solvers.cores != nullptr) {
      cores_.emplace(*solvers.cores, objective, bounds_, watch);
      cores_->solver.pause = [this] { return look(); };
    }
    if (solvers_.improving != nullptr && cores_ && options.share) {
      assert(solvers_.improving->variable_count() == cores_->solver.variable_count());
      solvers_.improving->share_clauses();
      cores_->solver.share_clauses();
    }
  }
  ~Optimiser() {
    if (solvers_.improving != nullptr) solvers_.improving->pause = nullptr;
    if (cores_) cores_->solver.pause = nullptr;
  }
  Optimiser(const Optimiser&) = delete;
  Optimiser& operator=(const Optimiser&) = delete;

  OptimiseEnd run() {
    if (events_.raised) events_.raised(0);
    const bool both = solvers_.improving != nullptr && cores_;
    bool by_cores =
        solvers_.improving == nullptr || (both && !options_.first && options_.improving_first == 0);
    bool before_all = both && !by_cores && !options_.first;
    std::int64_t turn = static_cast<std::int64_t>(options_.first_turn);
    maxsat::CoreGuidedSearch::Turn cores;
    if (both) cores = {turn, static_cast<int>(options_.first_cores)};
    double share = options_.cores_share;
    while (true) {
      bounds_.take_known_upper();
      if (bounds_.upper() && !options_.first) demand_better();
      if (bounds_.closed()) return finished();
      if (watch_.exceeds_memory(solvers_.bytes())) return OptimiseEnd::stopped;
      const formats::Weight lower_before = bounds_.lower();
      std::optional<std::int64_t> conflicts;  // of an improving turn; unlimited if it is the only solver
      if (both) conflicts = before_all ? static_cast<std::int64_t>(options_.improving_first) : turn;
      const maxsat::SearchEnd end = by_cores ? cores_->guided.run(cores) : improving_turn(conflicts);
      if (found_ && options_.first) return OptimiseEnd::found;
      if (end == maxsat::SearchEnd::proved) {
        if (bounds_.upper()) bounds_.raise_lower(*bounds_.upper());
        return finished();
      }
      if (end == maxsat::SearchEnd::stopped) return OptimiseEnd::stopped;
      if (!both || std::exchange(interrupted_, false)) continue;
      if (by_cores) {
        share = bounds_.lower() > lower_before ? std::min(2 * share, largest_share * options_.cores_share)
                                               : std::max(share / 2, least_share * options_.cores_share);
      } else if (!std::exchange(before_all, false)) {
        cores = {static_cast<std::int64_t>(share * static_cast<double>(turn)), std::nullopt};
        turn += turn / 2;
      }
      if (options_.share) {
        Solver& from = by_cores ? cores_->solver : *solvers_.improving;
        Solver& to = by_cores ? *solvers_.improving : cores_->solver;
        to.add_shared(from.take_shared());
      }
      by_cores = !by_cores;
    }
  }

 private:
  OptimiseEnd finished() {
    if (cores_) cores_->oracle.add_up();
    return OptimiseEnd::finished;
  }

  maxsat::BoundEvents bound_events() {
    maxsat::BoundEvents events;
    events.cost = [this](const maxsat::CoreOracle&) {
      return static_cast<formats::Weight>(value_in(cores_->solver));
    };
    events.improved = [this](const maxsat::CoreOracle&, formats::Weight) { improved(cores_->solver); };
    events.raised = [this](formats::Weight lower) {
      if (events_.raised) events_.raised(static_cast<std::int64_t>(lower));
    };
    if (events_.known_upper) {
      events.known_upper = [this]() -> std::optional<formats::Weight> {
        const std::int64_t known = events_.known_upper();
        if (known == no_upper) return std::nullopt;
        return static_cast<formats::Weight>(std::max<std::int64_t>(0, known));
      };
    }
    return events;
  }

  maxsat::SearchEnd improving_turn(std::optional<std::int64_t> conflicts) {
    const SatAnswer answer =
        solvers_.improving->solve({}, conflicts ? static_cast<std::uint64_t>(*conflicts) : ~std::uint64_t{0});
    switch (answer) {
      case SatAnswer::unsatisfiable:
        return maxsat::SearchEnd::proved;
      case SatAnswer::satisfiable: {
        const std::int64_t value = value_in(*solvers_.improving);
        assert(!bounds_.upper() || options_.first || static_cast<formats::Weight>(value) < *bounds_.upper());
        bounds_.offer_upper(static_cast<formats::Weight>(value));
        improved(*solvers_.improving);
        interrupted_ = true;  // the turn continues
        return maxsat::SearchEnd::paused;
      }
      case SatAnswer::unknown:
        break;
    }
    return watch_.reason() == StopReason::none ? maxsat::SearchEnd::paused : maxsat::SearchEnd::stopped;
  }

  std::int64_t value_in(const Solver& solver) const {
    std::int64_t value = 0;
    for (const WeightedLit& term : objective_)
      value += solver.model_value(term.literal) ? term.coefficient : 0;
    return value;
  }

  // The solver has a solution, whose value is now the upper bound.
  void improved(Solver& solver) {
    found_ = true;
    if (options_.best_phases) solver.keep_model_as_phases();
    if (events_.improved) events_.improved(solver, value_in(solver));
    if (!options_.first) demand_better();
  }

  void demand_better() {
    if (better_) better_->demand(static_cast<std::int64_t>(*bounds_.upper()));
  }

  // Called while a solver works: interrupts its turn if a better value is known elsewhere.
  bool look() {
    if (events_.tick) events_.tick();
    interrupted_ = events_.known_upper && is_better(events_.known_upper());
    return interrupted_;
  }

  bool is_better(std::int64_t value) const {
    return value < no_upper && (!bounds_.upper() || value < static_cast<std::int64_t>(*bounds_.upper()));
  }

  OptimiseSolvers solvers_;
  std::optional<BetterThan> better_;
  std::optional<CoreSide> cores_;
  const std::vector<WeightedLit>& objective_;
  const OptimiseOptions& options_;
  const OptimiseEvents& events_;
  LimitWatch& watch_;
  maxsat::Bounds bounds_;
  bool interrupted_ = false;  // the last turn was interrupted and continues
  bool found_ = false;
};

}  // namespace

std::size_t OptimiseSolvers::bytes() const {
  return (improving != nullptr ? improving->bytes() : 0) + (cores != nullptr ? cores->bytes() : 0);
}

SolverStatistics OptimiseSolvers::statistics() const {
  SolverStatistics both;
  if (improving != nullptr) both += improving->statistics();
  if (cores != nullptr) both += cores->statistics();
  return both;
}

SolverOptions options_for_cores(std::uint64_t seed) {
  SolverOptions options;
  options.order = DecisionOrder::activity;
  options.decide_all = true;
  options.states_only = false;
  options.seed = seed;
  return options;
}

OptimiseEnd optimise(const OptimiseSolvers& solvers, const std::vector<WeightedLit>& objective,
                     const OptimiseOptions& options, const OptimiseEvents& events, LimitWatch& watch) {
  return Optimiser(solvers, objective, options, events, watch).run();
}

}  // namespace bnnplan::cdcl
