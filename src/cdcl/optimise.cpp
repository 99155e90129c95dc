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
  CoreSide(Solver& the_solver, const std::vector<WeightedLit>& objective, std::uint64_t row_in_proof,
           maxsat::Bounds& bounds, LimitWatch& watch)
      : solver(the_solver),
        oracle(solver, row_in_proof),
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
  NativeOracle oracle;
  maxsat::CostFunction cost;
  maxsat::MaxSatOptions options = options_of_search();
  maxsat::MaxSatStatistics statistics;
  maxsat::MaxSatRun search;
  maxsat::CoreGuidedSearch guided;
};

}  // namespace

class Optimiser::Turns {
 public:
  Turns(const OptimiseSolvers& solvers, std::vector<WeightedLit> objective, const OptimiseOptions& options,
        OptimiseEvents events, LimitWatch& watch)
      : solvers_(solvers),
        objective_(std::move(objective)),
        options_(options),
        events_(std::move(events)),
        watch_(watch),
        bounds_(bound_events(), options.enough),
        turn_(static_cast<std::int64_t>(options.first_turn)),
        share_(options.cores_share) {
    assert(solvers.improving != nullptr || solvers.cores != nullptr);
    if (solvers_.improving != nullptr) {
      better_.emplace(*solvers_.improving, objective_, options.along_time && !options.enough);
      solvers_.improving->pause = [this] { return look(); };
    }
    if (solvers.cores != nullptr) {
      cores_.emplace(*solvers.cores, objective_, options.enough_row, bounds_, watch);
      cores_->solver.pause = [this] { return look(); };
    }
    if (both()) {
      assert(solvers_.improving->variable_count() == cores_->solver.variable_count());
      solvers_.improving->share_clauses();
      cores_->solver.share_clauses();
    }
    by_cores_ = solvers_.improving == nullptr || (both() && options_.improving_first == 0);
    before_all_ = both() && !by_cores_;
    if (both()) cores_turn_ = {turn_, static_cast<int>(options_.first_cores)};
    if (options_.enough && *options_.enough < any_value)
      bounds_.offer_upper(static_cast<formats::Weight>(*options_.enough + 1));
  }
  ~Turns() {
    if (solvers_.improving != nullptr) solvers_.improving->pause = nullptr;
    if (cores_) cores_->solver.pause = nullptr;
  }
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  OptimiseEnd run(std::uint64_t conflicts) {
    if (events_.raised) events_.raised(static_cast<std::int64_t>(bounds_.lower()));
    const std::uint64_t before = solvers_.statistics().conflicts;
    while (true) {
      bounds_.take_known_upper();
      if (bounds_.upper() && !options_.enough) demand_better();
      if (bounds_.closed()) return finished();
      if (watch_.exceeds_memory(solvers_.bytes())) return OptimiseEnd::stopped;
      const std::uint64_t made = solvers_.statistics().conflicts - before;
      if (made >= conflicts) return OptimiseEnd::paused;
      const auto most =
          static_cast<std::int64_t>(std::min(conflicts - made, static_cast<std::uint64_t>(any_value)));
      const formats::Weight lower_before = bounds_.lower();
      const std::int64_t length = left_ ? *left_ : length_of_turn(), effort_before = effort();
      const std::int64_t allowed = std::min(length, most);
      const maxsat::SearchEnd end = by_cores_ ? cores_turn(allowed) : improving_turn(allowed);
      if (found_ && options_.enough) return OptimiseEnd::found;
      if (end == maxsat::SearchEnd::proved) {
        if (bounds_.upper()) bounds_.raise_lower(*bounds_.upper());
        return finished();
      }
      if (end == maxsat::SearchEnd::stopped) return OptimiseEnd::stopped;
      left_.reset();
      if (!both() || std::exchange(interrupted_, false)) continue;
      if (const std::int64_t used = effort() - effort_before; used >= allowed && allowed < length) {
        left_ = length - used;
      } else {
        change_turns(bounds_.lower() > lower_before);
      }
    }
  }

 private:
  bool both() const { return solvers_.improving != nullptr && cores_; }

  // In conflicts. Without the other solver a turn does not end.
  std::int64_t length_of_turn() const {
    if (!both()) return any_value;
    if (by_cores_) return cores_turn_.effort.value_or(any_value);
    return before_all_ ? static_cast<std::int64_t>(options_.improving_first) : turn_;
  }
  std::int64_t effort() const {
    return by_cores_ ? cores_->oracle.effort()
                     : static_cast<std::int64_t>(solvers_.improving->statistics().conflicts);
  }

  maxsat::SearchEnd cores_turn(std::int64_t most) {
    maxsat::CoreGuidedSearch::Turn turn{std::nullopt, cores_turn_.call_conflicts};
    if (most < any_value) turn.effort = most;
    return cores_->guided.run(turn);
  }

  void change_turns(bool raised) {
    if (by_cores_) {
      share_ = raised ? std::min(2 * share_, largest_share * options_.cores_share)
                      : std::max(share_ / 2, least_share * options_.cores_share);
    } else if (!std::exchange(before_all_, false)) {
      cores_turn_ = {static_cast<std::int64_t>(share_ * static_cast<double>(turn_)), std::nullopt};
      turn_ += turn_ / 2;
    }
    Solver& from = by_cores_ ? cores_->solver : *solvers_.improving;
    Solver& to = by_cores_ ? *solvers_.improving : cores_->solver;
    to.add_shared(from.take_shared());
    by_cores_ = !by_cores_;
  }

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
        if (known == any_value) return std::nullopt;
        return static_cast<formats::Weight>(std::max<std::int64_t>(0, known));
      };
    }
    return events;
  }

  maxsat::SearchEnd improving_turn(std::int64_t most) {
    switch (solvers_.improving->solve(
        {}, most < any_value ? static_cast<std::uint64_t>(most) : ~std::uint64_t{0})) {
      case SatAnswer::unsatisfiable:
        return maxsat::SearchEnd::proved;
      case SatAnswer::satisfiable: {
        const std::int64_t value = value_in(*solvers_.improving);
        interrupted_ = true;  // the turn continues
        if (options_.enough && value > *options_.enough) {
          come_nearer(value);
          return maxsat::SearchEnd::paused;
        }
        assert(!bounds_.upper() || static_cast<formats::Weight>(value) < *bounds_.upper());
        bounds_.offer_upper(static_cast<formats::Weight>(value));
        improved(*solvers_.improving);
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
    solver.keep_model_as_phases();
    if (events_.improved) events_.improved(solver, value_in(solver));
    if (!options_.enough) demand_better();
  }

  // A solution that does not count yet: the next one has to be nearer by half of what is missing. Any demand
  // up to `enough` follows from what counts, so if it cannot be met, nothing counts.
  void come_nearer(std::int64_t value) {
    solvers_.improving->keep_model_as_phases();
    const std::int64_t enough = *options_.enough;
    better_->demand(enough + 1 + (value - enough - 1) / 2);
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
    return value < any_value && (!bounds_.upper() || value < static_cast<std::int64_t>(*bounds_.upper()));
  }

  OptimiseSolvers solvers_;
  std::optional<BetterThan> better_;
  std::optional<CoreSide> cores_;
  std::vector<WeightedLit> objective_;
  OptimiseOptions options_;
  OptimiseEvents events_;
  LimitWatch& watch_;
  maxsat::Bounds bounds_;
  bool by_cores_ = false;    // whose turn it is
  bool before_all_ = false;  // the turn of improving search before anything else
  std::int64_t turn_;        // of improving search, in conflicts
  double share_;
  maxsat::CoreGuidedSearch::Turn cores_turn_;
  std::optional<std::int64_t> left_;  // of the turn that the last call began
  bool interrupted_ = false;          // the last turn was interrupted and continues
  bool found_ = false;
};

Optimiser::Optimiser(const OptimiseSolvers& solvers, std::vector<WeightedLit> objective,
                     const OptimiseOptions& options, OptimiseEvents events, LimitWatch& watch)
    : turns_(std::make_unique<Turns>(solvers, std::move(objective), options, std::move(events), watch)) {}
Optimiser::~Optimiser() = default;

OptimiseEnd Optimiser::run(std::uint64_t conflicts) { return turns_->run(conflicts); }

std::size_t OptimiseSolvers::bytes() const {
  return (improving != nullptr ? improving->bytes() : 0) + (cores != nullptr ? cores->bytes() : 0);
}

SolverStatistics OptimiseSolvers::statistics() const {
  SolverStatistics both;
  if (improving != nullptr) both += improving->statistics();
  if (cores != nullptr) both += cores->statistics();
  return both;
}

}  // namespace bnnplan::cdcl
