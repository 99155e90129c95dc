#pragma once

#include <cstdint>
#include <functional>

#include "base/limits.hpp"
#include "engines/engine.hpp"
#include "problem/plan.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// Looks for good plans by changing sequences of actions, and proves nothing. It ends at a limit, when so many
// steps were evaluated, or if there is nothing to change. What it finds depends on the problem, the seed and the
// upper bounds that it is told, not on time.
struct LocalSearchEvents {
  // A plan that was replayed by the checker and costs less than all before, and than `upper`. False: enough.
  std::function<bool(const Plan& plan, std::int64_t cost)> improved;
  std::function<std::int64_t()> upper;  // of somebody else's plan, asked again and again; may be empty
};
struct LocalSearchStatistics {
  std::uint64_t evaluations = 0, moves = 0, starts = 0;
};
LocalSearchStatistics local_search(const Problem& problem, LimitWatch& watch, std::uint64_t effort,
                                   const LocalSearchEvents& events);

// Whether a move is fast enough for it to make many.
bool suits_local_search(const Problem& problem);

// A second or so of it, as an engine of a portfolio.
Outcome run_local_search(const Problem& problem, const EngineRequest& request);

}  // namespace bnnplan
