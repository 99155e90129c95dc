#pragma once

#include <cstddef>
#include <vector>

#include "bnnplan/engines/search/search_run.hpp"

namespace bnnplan::engines {

// Breadth-first search for the fewest steps that lead to the goal. Each reachable state is expanded once,
// whatever the horizon; when all are, no horizon has a plan.
class FewestSteps {
 public:
  // Continues until excluded() + 1 steps lead to the goal, and returns true, or until excluded() is `most`.
  // Requires a run that has begun, always the same one. Throws LimitReached; the next call continues.
  bool run(SearchRun& run, int most);

  int excluded() const { return excluded_; }  // no plan has from 1 to this many steps

 private:
  std::size_t bytes() const;

  int excluded_ = 0;
  bool started_ = false;
  std::vector<StateId> layer_, next_layer_;  // first reached after excluded_ steps, and one more
  std::size_t done_ = 0;                     // states of the layer
  std::vector<bool> seen_;                   // by state: it is in a layer that is not the first
};

}  // namespace bnnplan::engines
