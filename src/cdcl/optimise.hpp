#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

// The solvers that minimise: one, or two that take turns and then have the same model in the same variables.
// At least one is given.
struct OptimiseSolvers {
  Solver* improving = nullptr;  // demands a better solution until there is none
  Solver* cores = nullptr;      // shows that cost after cost is impossible

  std::size_t bytes() const;  // of both
  SolverStatistics statistics() const;
};

struct OptimiseOptions {
  // Conflicts of improving search before anything else, if there are two solvers.
  std::uint64_t improving_first = 0;
  std::uint64_t first_cores = 10;  // conflict limit for each core in the first turn, if there are two solvers
  std::uint64_t first_turn = 2'000;  // then conflicts of improving search before the next turn of cores
  double cores_share = 0.25;         // initial number of conflicts of cores for each one of improving search
  // Only solutions of at most this value count, and the first of them ends the search. The sum of a hard row
  // is decided this way: solutions beyond the bound are improved until one counts.
  std::optional<std::int64_t> enough = {};
  std::uint64_t enough_row = 0;  // the number of this row in the proof, if there is one
  bool along_time = true;        // variables are in the order of time, and costs are summed along it
};

// Callbacks; any of them may be empty. Values are sums of the objective's weights, without any offset.
struct OptimiseEvents {
  std::function<void(const Solver& solver, std::int64_t value)> improved;  // the model is in that solver
  std::function<void(std::int64_t lower)> raised;
  std::function<std::int64_t()> known_upper;  // the best value known elsewhere
  std::function<void()> tick;                 // several times a second
};

enum class OptimiseEnd : std::uint8_t {
  finished,  // the last reported solution is optimal; without one, none counts or is below the known value
  found,     // a solution that is enough
  paused,    // run() has made as many conflicts as it may
  stopped    // a limit
};

inline constexpr std::int64_t any_value = std::numeric_limits<std::int64_t>::max();  // is enough

// Minimises sum of weight * literal (positive weights, different variables). Keeps references to the solvers,
// which are not to be used elsewhere meanwhile, and to the watch.
class Optimiser {
 public:
  Optimiser(const OptimiseSolvers& solvers, std::vector<WeightedLit> objective,
            const OptimiseOptions& options, OptimiseEvents events, LimitWatch& watch);
  ~Optimiser();
  Optimiser(const Optimiser&) = delete;
  Optimiser& operator=(const Optimiser&) = delete;

  // Makes about this many conflicts. If it is paused, the next call continues.
  OptimiseEnd run(std::uint64_t conflicts = ~std::uint64_t{0});

 private:
  class Turns;
  std::unique_ptr<Turns> turns_;
};

inline OptimiseEnd optimise(const OptimiseSolvers& solvers, const std::vector<WeightedLit>& objective,
                            const OptimiseOptions& options, const OptimiseEvents& events, LimitWatch& watch) {
  return Optimiser(solvers, objective, options, events, watch).run();
}

}  // namespace bnnplan::cdcl
