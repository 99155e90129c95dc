#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/engines/search/search_run.hpp"

namespace bnnplan::engines {

// The states that can be reached in each layer at less than a given cost, each with its least cost. Costs are
// those of the model's objective, whose weights are positive: relative to the least that the bits could cost.
struct CheapLayers {
  static constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();

  struct Node {
    StateId state;
    std::int64_t cost;
  };
  std::vector<std::vector<Node>> layers;  // [0]: the initial states, [H - 1]: those of the last step
  std::int64_t below = unbounded;
  // The cost of a step from this layer.
  std::int64_t cost_of(const SearchRun& run, const Edge& edge, std::size_t layer) const {
    return run.weight(layer) * (run.graph->extra_cost(edge) + extra_to_cost);
  }
  std::int64_t extra_to_cost = 0;  // per step, before weighting
};

// Nothing if there are more than `most` nodes. Requires run.begin(). Throws LimitReached.
std::optional<CheapLayers> find_cheap_layers(SearchRun& run, std::span<const StateId> initial,
                                             std::int64_t below, std::size_t most);

}  // namespace bnnplan::engines
