#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engines/engine.hpp"

namespace bnnplan {

class SearchRun;

// Plans again and again for one problem by search, from other initial states and for other horizons: a step that
// was computed for one plan is known to all later ones. For planning as one goes along (plan, take the first step,
// plan again from where it led), and for horizons that grow.
class KeptSearch {
 public:
  // Keeps a copy of the problem. The threads and the seed are those of the first plan().
  explicit KeptSearch(Problem problem);
  KeptSearch(const KeptSearch&) = delete;
  KeptSearch& operator=(const KeptSearch&) = delete;
  ~KeptSearch();

  const Problem& problem() const { return problem_; }
  void set_initial(
      const BitValues& initial);           // one per state bit; an unknown one is for the planner to choose
  void set_horizon(std::int64_t horizon);  // throws InputError as bnnplan::set_horizon does

  // What engine search returns, checked; without checkpoints. Its statistics count the evaluations of this plan, and
  // the states and edges of all. Of plans that cost the same it may find another than a search without a memory. Where
  // the problem refuses prefixes of plans, which depend on where a plan begins, nothing is kept.
  Outcome plan(const EngineRequest& request = {});

 private:
  Problem problem_;
  EngineRequest request_;
  std::unique_ptr<SearchRun> run_;  // knows the two above by their places
};

// Solves a problem for the horizons first, first + 1, ..., last by one search that keeps what it knows. With `until_plan` it ends
// at the first horizon that has a plan, and any plan will do: the shortest plan there is. A limit on time is one for all
// together; one that is reached ends it, with what is known of the horizon it was at as the last answer. Requires
// 1 <= first <= last; throws InputError where set_horizon() would.
std::vector<Outcome> search_horizons(const Problem& problem, std::int32_t first, std::int32_t last,
                                     bool until_plan, const Limits& limits);

}  // namespace bnnplan
