#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cdcl/solver.hpp"

namespace bnnplan {

// Who minimises: one solver, or two in turns, which then have the same model in the same variables. At least
// one is there.
struct OptimiseSolvers {
  Solver* improving = nullptr;  // demands a better solution until there is none
  Solver* cores = nullptr;      // shows that cost after cost is impossible

  std::size_t bytes() const;  // of both
  SolverStatistics statistics() const;
};

// How a solver that looks for cores should be set: measured in docs/neuron.md.
SolverOptions options_for_cores(std::uint64_t seed);

struct OptimiseOptions {
  std::uint64_t improving_first = 0;  // conflicts of improving search before all else, if there are two
  std::uint64_t first_cores = 10;     // conflicts that each core may take in the first turn, if there are two
  std::uint64_t first_turn = 2'000;   // then conflicts of improving search before cores get a turn again
  double cores_share = 0.25;          // conflicts of cores for each of improving search, to begin with
  bool best_phases = true;            // search on near the best solution
  bool first = false;                 // any solution will do
  bool along_time = true;             // variables are in the order of time, and costs are counted along it
  bool share = true;                  // clauses that one solver has learned are given to the other
};

// What is told while it runs; any of them may be empty. Values are sums of the objective's weights, without
// any offset.
struct OptimiseEvents {
  std::function<void(const Solver& solver, std::int64_t value)> improved;  // that solver has the model
  std::function<void(std::int64_t lower)> raised;
  std::function<std::int64_t()> known_upper;  // a value that somebody else has
  std::function<void()> tick;                 // several times a second
};

enum class OptimiseEnd : std::uint8_t {
  finished,  // the last solution told is optimal; without one there is none below the known upper value
  found,     // first solution
  stopped    // a limit
};

// Minimises sum of weight * literal (positive weights, different variables).
OptimiseEnd optimise(const OptimiseSolvers& solvers, const std::vector<WeightedLit>& objective,
                     const OptimiseOptions& options, const OptimiseEvents& events, LimitWatch& watch);

}  // namespace bnnplan
