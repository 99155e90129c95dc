// One horizon after the other, each from the beginning. One solver that grows, with the goal of each horizon
// under a condition (Een and Sorensson, 2003), was measured up to the first plan. Where solving takes time it
// brought little: the neuron engine was 0.9 and 1.2 times as fast on the networks of navigation 5x5 and 4x4
// (0.5 and 0.07 s), maxsat 1.5 and 0.8 times on those of navigation 4x4 and cellda (13 and 4 s). It was 3 to
// 11 times as fast where all horizons together take 0.2 s: without a network, since nothing is loaded twice,
// and on cellda's, where local search looks for plans that do not exist.
//
// Search needs no horizons: breadth-first search finds the smallest, or that there is none, and expands each
// state once. With engine auto it has a second, and then as much time as all engines take to exclude
// horizons: so small problems are left to it, and large ones take at most twice as long.
#include "bnnplan/engines/shortest.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/search/kept_search.hpp"

namespace bnnplan::engines {

Outcome run_shortest(const Engine& engine, Problem problem, const EngineRequest& request) {
  constexpr double head_start = 1;  // seconds
  const Stopwatch stopwatch;
  const int most = problem.horizon > 0   ? problem.horizon
                   : problem.longest > 0 ? problem.longest
                                         : horizon_limit;
  const bool alone = engine.name == "search";
  std::optional<KeptSearch> search;
  if (alone || engine.name == "auto") search.emplace(problem);
  int horizon = 0;
  EngineRequest own = request;
  const auto begin_horizon = [&](int next) {
    if (next > horizon && next <= most && request.callbacks.horizon) request.callbacks.horizon(next);
    horizon = std::max(horizon, next);
  };
  own.callbacks.horizon = begin_horizon;
  if (request.callbacks.progress) {
    own.callbacks.progress = [&](Progress progress) {
      progress.seconds = stopwatch.seconds();
      progress.activity = fmt::format("horizon {}: {}", horizon, progress.activity);
      progress.lower_bound.reset();  // in units that depend on the horizon
      progress.best_cost.reset();
      request.callbacks.progress(progress);
    };
  }
  const auto finish = [&](Outcome outcome) {
    outcome.shortest = std::min(horizon, most);
    outcome.seconds = stopwatch.seconds();
    if (outcome.engine.empty()) outcome.engine = engine.name;
    return outcome;
  };
  double by_search = 0, by_engines = 0;  // seconds
  begin_horizon(1);
  while (horizon <= most) {
    own.limits.seconds = time_left(request.limits.seconds, stopwatch.seconds());
    const double share = std::max(head_start, by_engines) - by_search;
    if (search && (alone || share > 0)) {
      Limits limits = own.limits;
      if (!alone) limits.seconds = std::min(limits.seconds.value_or(share), share);
      const Stopwatch searching;
      const KeptSearch::Horizons found = search->exclude_horizons(most, limits, own.callbacks);
      if (found.has_plan && found.excluded + 1 < horizon)
        throw std::logic_error(
            fmt::format("engines disagree: search has a plan of {} steps", found.excluded + 1));
      by_search += searching.seconds();
      begin_horizon(found.excluded + 1);
      if (alone && found.stopped != StopReason::none) {
        Outcome outcome;
        outcome.stopped = found.stopped;
        return finish(std::move(outcome));
      }
      if (horizon > most) break;
      if (!alone && found.stopped != StopReason::time) search.reset();  // it has answered, or has no memory
    }
    try {
      set_horizon(problem, horizon);
    } catch (const InputError& error) {
      throw InputError(fmt::format("no plan has fewer than {} steps; {}", horizon, error.what()));
    }
    const double start = stopwatch.seconds();
    own.limits.seconds = time_left(request.limits.seconds, start);
    if (alone) search->set_horizon(horizon);
    Outcome outcome = alone ? search->plan(own) : run_checked(engine, problem, own);
    if (outcome.status != Status::infeasible) {
      for (BoundPoint& point : outcome.bounds) point.seconds += start;
      return finish(std::move(outcome));
    }
    by_engines += stopwatch.seconds() - start;
    begin_horizon(horizon + 1);
  }
  Outcome outcome;
  outcome.status = Status::infeasible;
  return finish(std::move(outcome));
}

}  // namespace bnnplan::engines
