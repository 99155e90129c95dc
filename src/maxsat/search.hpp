#pragma once

#include <cstdint>

#include "base/limits.hpp"
#include "maxsat/bounds.hpp"
#include "maxsat/core_oracle.hpp"
#include "maxsat/cost_function.hpp"
#include "maxsat/maxsat.hpp"

namespace bnnplan {

// What the techniques of one run work on.
struct Search {
  const MaxSatOptions& options;
  LimitWatch& watch;
  CoreOracle& oracle;
  CostFunction& objective;
  Bounds& bounds;
  MaxSatStatistics& statistics;
};

// How a strategy ended.
enum class SearchEnd : std::uint8_t {
  proved,  // the best model is optimal or, if there is none, the hard clauses are unsatisfiable
  stopped  // a limit was reached
};

}  // namespace bnnplan
