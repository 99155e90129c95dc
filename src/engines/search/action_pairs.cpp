// Pairs of classes by their cost. Sums are examined one by one, classes^2 / 2 of them for each cost
// requested, and remembered: whole layers request the same few.
#include "bnnplan/engines/search/action_pairs.hpp"

#include <algorithm>

namespace bnnplan::engines {

std::optional<std::int64_t> ActionPairs::cost_after(std::int64_t cost) {
  const std::size_t classes = actions_.class_count();
  if (classes != classes_) known_.clear();
  classes_ = classes;
  const auto [place, is_new] = known_.try_emplace(cost);
  if (!is_new) return place->second;
  const std::int64_t least = actions_[0].cost;
  std::optional<std::int64_t>& best = place->second;
  const auto consider = [&](std::int64_t sum) {
    if (sum > cost && (!best || sum < *best)) best = sum;
  };
  for (std::size_t first = 0; first < classes; ++first) {
    for (std::size_t second = 0; second <= first; ++second)
      consider(actions_[first].cost + actions_[second].cost - 2 * least);
  }
  if (const auto bound = actions_.lower_bound(classes)) consider(std::max(*bound - least, cost + 1));
  return best;
}

}  // namespace bnnplan::engines
