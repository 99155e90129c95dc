// What a search proves does not depend on what its graph already contains, only its time does: the successors
// of a state are the same for every initial state and horizon. So the graph is kept from plan to plan, with
// its actions and its threads; nodes, which belong to one horizon, are not.
#include "bnnplan/engines/search/kept_search.hpp"

#include <algorithm>
#include <utility>

#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/search/search.hpp"

namespace bnnplan::engines {

KeptSearch::KeptSearch(Problem problem) : problem_(std::move(problem)) {}
KeptSearch::~KeptSearch() = default;

void KeptSearch::set_initial(const BitValues& initial) { problem_.initial = initial; }
void KeptSearch::set_horizon(std::int64_t horizon) { bnnplan::set_horizon(problem_, horizon); }

void KeptSearch::renew(const EngineRequest& request) {
  request_ = request;
  request_.checkpoint = {};
  // Symmetry is not used with a proof.
  if (!run_ || !problem_.refused.empty() || !request_.proof.empty()) {
    run_ = std::make_unique<SearchRun>(problem_, request_);
    fewest_ = {};
  } else {
    run_->renew();
  }
}

Outcome KeptSearch::plan(const EngineRequest& request) {
  renew(request);
  return checked_outcome("search", problem_, Search(*run_).solve());
}

KeptSearch::Horizons KeptSearch::exclude_horizons(int most, const Limits& limits,
                                                  const EngineCallbacks& callbacks) {
  EngineRequest request;
  request.limits = limits;
  request.callbacks.progress = callbacks.progress;
  request.callbacks.horizon = [this, &callbacks](int horizon) {
    problem_.horizon = horizon;  // for progress
    if (callbacks.horizon) callbacks.horizon(horizon);
  };
  problem_.horizon = 1;
  for (const RefusedPrefix& prefix : problem_.refused)  // a search has only those that fit its horizon
    problem_.horizon = std::max(problem_.horizon, static_cast<int>(prefix.actions.size()));
  renew(request);
  Horizons result;
  try {
    if (!run_->begin()) return {most};
    result.has_plan = fewest_.run(*run_, most);
  } catch (const LimitReached&) {
    result.stopped = run_->watch.reason();
  }
  result.excluded = fewest_.excluded();
  return result;
}

}  // namespace bnnplan::engines
