// What a search proves does not depend on what its graph already contains, only its time does: the successors
// of a state are the same for every initial state and horizon. So the graph is kept from plan to plan, with
// its actions and its threads; nodes, which belong to one horizon, are not.
#include "bnnplan/engines/search/kept_search.hpp"

#include <algorithm>
#include <utility>

#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/search/search.hpp"

namespace bnnplan::engines {

KeptSearch::KeptSearch(Problem problem) : problem_(std::move(problem)) {}
KeptSearch::~KeptSearch() = default;

void KeptSearch::set_initial(const BitValues& initial) { problem_.initial = initial; }
void KeptSearch::set_horizon(std::int64_t horizon) { bnnplan::set_horizon(problem_, horizon); }

Outcome KeptSearch::plan(const EngineRequest& request) {
  request_ = request;
  request_.checkpoint = {};
  // Symmetry is not used with a proof.
  if (!run_ || !problem_.refused.empty() || !request_.proof.empty()) {
    run_ = std::make_unique<SearchRun>(problem_, request_);
  } else {
    run_->renew();
  }
  return checked_outcome("search", problem_, Search(*run_).solve());
}

std::vector<Outcome> search_horizons(const Problem& problem, std::int32_t first, std::int32_t last,
                                     bool until_plan, const Limits& limits) {
  const Stopwatch stopwatch;
  KeptSearch search(problem);
  search.set_horizon(last);  // rejects horizons that are too long before any work
  std::vector<Outcome> answers;
  for (std::int32_t horizon = first; horizon <= last; ++horizon) {
    search.set_horizon(horizon);
    EngineRequest request;
    request.limits = limits;
    request.limits.seconds = time_left(limits.seconds, stopwatch.seconds());
    request.first = until_plan;
    answers.push_back(search.plan(request));
    const Outcome& answer = answers.back();
    if (answer.stopped != StopReason::none || (until_plan && answer.plan)) break;
  }
  return answers;
}

}  // namespace bnnplan::engines
