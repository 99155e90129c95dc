#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bnnplan/engines/engine.hpp"

namespace bnnplan::engines {

class SearchRun;

// Plans repeatedly for one problem by search, from different initial states and for different horizons: a
// step computed for one plan is reused by all later ones. For online planning (plan, take the first step,
// plan again from where it led), and for growing horizons.
class KeptSearch {
 public:
  // Keeps a copy of the problem. Threads and seed are those of the first plan().
  explicit KeptSearch(Problem problem);
  KeptSearch(const KeptSearch&) = delete;
  KeptSearch& operator=(const KeptSearch&) = delete;
  ~KeptSearch();

  const Problem& problem() const { return problem_; }
  // One value per state bit; the planner chooses the unknown ones.
  void set_initial(const BitValues& initial);
  void set_horizon(std::int64_t horizon);  // throws InputError as bnnplan::set_horizon does

  // What engine search returns, checked; without checkpoints. Its statistics count the evaluations of this
  // plan, and the states and edges of all plans. Among plans of equal cost it may find a different one than a
  // fresh search would. If the problem refuses prefixes of plans, which depend on where a plan begins,
  // nothing is kept.
  Outcome plan(const EngineRequest& request = {});

 private:
  Problem problem_;
  EngineRequest request_;
  std::unique_ptr<SearchRun> run_;  // refers to the two members above
};

// Solves a problem for the horizons first, first + 1, ..., last by one search that keeps what it has
// computed. With `until_plan` it ends at the first horizon that has a plan, and any plan will do: this is the
// shortest plan. The time limit is for all horizons together; a limit ends it, with what is known about the
// current horizon as the last answer. Requires 1 <= first <= last; throws InputError if set_horizon() would.
std::vector<Outcome> search_horizons(const Problem& problem, std::int32_t first, std::int32_t last,
                                     bool until_plan, const Limits& limits);

}  // namespace bnnplan::engines
