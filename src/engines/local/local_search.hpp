#pragma once

#include <cstdint>
#include <functional>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// Looks for good plans by changing sequences of actions; proves nothing. It ends at a limit, after `effort`
// evaluated steps, or if there is nothing to change. What it finds depends on the problem, the seed and the
// upper bounds it receives, not on time.
struct LocalSearchEvents {
  // A plan, replayed by the checker, that costs less than all before and less than `upper`. Return false to
  // stop.
  std::function<bool(const Plan& plan, std::int64_t cost)> improved;
  std::function<std::int64_t()> upper;  // cost of a plan found elsewhere, polled repeatedly; may be empty
};
struct LocalSearchStatistics {
  std::uint64_t evaluations = 0, moves = 0, starts = 0;
};
LocalSearchStatistics local_search(const Problem& problem, LimitWatch& watch, std::uint64_t effort,
                                   const LocalSearchEvents& events);

// Whether moves are fast enough to make many of them.
bool suits_local_search(const Problem& problem);

// About a second of local search, as an engine of a portfolio.
Outcome run_local_search(const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan::engines
