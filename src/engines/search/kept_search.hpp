#pragma once

#include <memory>

#include "bnnplan/engines/engine.hpp"
#include "bnnplan/engines/search/fewest_steps.hpp"

namespace bnnplan::engines {

// Plans repeatedly for one problem by search, from different initial states and for different horizons: a
// step computed for one plan is reused by all later ones. For online planning (plan, take the first step,
// plan again from where it led), and for the shortest plan.
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

  struct Horizons {
    int excluded = 0;       // no plan has from 1 to this many steps
    bool has_plan = false;  // one more step does
    StopReason stopped = StopReason::none;
  };
  // Excludes the horizons from 1 to `most` until one has a plan. After a limit, the next call continues. Only
  // for one initial state, and before the first plan(). Of the callbacks it calls `horizon` and `progress`.
  Horizons exclude_horizons(int most, const Limits& limits, const EngineCallbacks& callbacks = {});

 private:
  void renew(const EngineRequest& request);

  Problem problem_;
  EngineRequest request_;
  std::unique_ptr<SearchRun> run_;  // refers to the two members above
  FewestSteps fewest_;
};

}  // namespace bnnplan::engines
