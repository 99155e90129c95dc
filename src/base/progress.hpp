#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace bnnplan {

// The progress of a running computation, for a line on a terminal. Costs are integers as in Objective.
struct Progress {
  double seconds = 0;
  std::string activity;  // "layer 5 of 10, 1203 states, 2.1 M evaluations/s"
  std::size_t memory_bytes = 0;
  std::optional<std::int64_t> lower_bound, best_cost;
};

}  // namespace bnnplan
