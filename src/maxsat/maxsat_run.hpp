#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/maxsat/bounds.hpp"
#include "bnnplan/maxsat/core_oracle.hpp"
#include "bnnplan/maxsat/cost_function.hpp"
#include "bnnplan/maxsat/maxsat.hpp"

namespace bnnplan::maxsat {

// The shared state of the techniques of one run.
struct MaxSatRun {
  const MaxSatOptions& options;
  LimitWatch& watch;
  CoreOracle& oracle;
  CostFunction& objective;
  Bounds& bounds;
  MaxSatStatistics& statistics;
  std::optional<int> call_conflicts = std::nullopt;  // limit for each call of the oracle

  int at_most(int conflicts) const { return std::min(conflicts, call_conflicts.value_or(conflicts)); }
};

// How a strategy ended.
enum class SearchEnd : std::uint8_t {
  proved,   // the best model is optimal or, if there is none, the hard clauses are unsatisfiable
  stopped,  // a limit was reached
  paused    // the allowed effort is spent
};

}  // namespace bnnplan::maxsat
