#pragma once

#include <optional>
#include <vector>

#include "maxsat/maxsat_run.hpp"

namespace bnnplan {

// Solution-improving search: demands a model cheaper than the best until there is none. It can be run in turns: run()
// goes on where the call before was paused, and better models that somebody else found in between are used.
class SolutionImproving {
 public:
  // What is minimised is constant + terms, all weights positive: the objective, or one that is equal to it for every
  // better model. Keeps a reference to the search.
  SolutionImproving(MaxSatRun& search, std::vector<CostTerm> terms, Weight constant);

  // `paused` after about so much effort (CoreOracle::effort); none: any.
  SearchEnd run(std::optional<std::int64_t> effort = std::nullopt);

 private:
  void demand_better();

  MaxSatRun& search_;
  std::vector<CostTerm> terms_;
  Weight constant_;
  std::optional<CoreOracle::BoundedSum> bounded_;
  Weight largest_ = 0;  // that the sum of the terms may be, once it is bounded
};

}  // namespace bnnplan
