#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cdcl/solver.hpp"

namespace bnnplan {

enum class OptimiseStrategy : std::uint8_t { improving, cores, alternate };

struct OptimiseOptions {
  OptimiseStrategy strategy = OptimiseStrategy::alternate;
  std::uint64_t first_cores = 10;    // alternate: conflicts that each core may take at the start
  std::uint64_t first_turn = 2'000;  // then conflicts of improving search before cores get a turn again
  bool best_phases = true;           // search on near the best solution
  bool first = false;                // any solution will do
};

// What is told while it runs; any of them may be empty. Values are sums of the objective's weights, without
// any offset.
struct OptimiseEvents {
  std::function<void(std::int64_t value)> improved;  // the solver has the model
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
OptimiseEnd optimise(Solver& solver, const std::vector<WeightedLit>& objective,
                     const OptimiseOptions& options, const OptimiseEvents& events, LimitWatch& watch);

}  // namespace bnnplan
