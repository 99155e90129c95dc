#pragma once

#include <optional>
#include <vector>

#include "bnnplan/maxsat/maxsat_run.hpp"

namespace bnnplan::maxsat {

// Solution-improving search: demands a model cheaper than the best until there is none. It can be run in
// turns: run() resumes where the previous call paused, and uses better models found elsewhere in the
// meantime.
class SolutionImproving {
 public:
  // Minimises constant + terms, all weights positive: the objective, or a sum that equals it for every better
  // model. Keeps a reference to the search.
  SolutionImproving(MaxSatRun& search, std::vector<CostTerm> terms, formats::Weight constant);

  // Returns `paused` after about this much effort (CoreOracle::effort); nothing: no limit.
  SearchEnd run(std::optional<std::int64_t> effort = std::nullopt);

 private:
  void demand_better();

  MaxSatRun& search_;
  std::vector<CostTerm> terms_;
  formats::Weight constant_;
  std::optional<CoreOracle::BoundedSum> bounded_;
  formats::Weight largest_ = 0;  // the bound on the sum of the terms, once there is one
};

}  // namespace bnnplan::maxsat
