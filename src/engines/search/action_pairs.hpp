#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "engines/search/action_table.hpp"

namespace bnnplan {

// Pairs of classes of actions, of the last two steps of a plan, by what they cost together above the cheapest pair.
class ActionPairs {
 public:
  explicit ActionPairs(const ActionTable& actions) : actions_(actions) {}  // keeps a reference

  // Whether all classes are made that a pair of this cost could have.
  bool made(std::int64_t cost) const {
    const auto bound = actions_.lower_bound(actions_.class_count());
    return !bound || *bound - actions_[0].cost > cost;
  }

  // Calls visit(first, second) for the pairs that together cost this much.
  template <class Visit>
  void visit_pairs(std::int64_t cost, Visit visit) const {
    const std::int64_t least = actions_[0].cost;
    for (std::uint32_t first = 0; first < actions_.class_count(); ++first) {
      const std::int64_t rest = cost - (actions_[first].cost - least);
      if (rest < 0) break;
      for (std::uint32_t second = 0; second < actions_.class_count(); ++second) {
        const std::int64_t own = actions_[second].cost - least;
        if (own > rest) break;
        if (own == rest) visit(first, second);
      }
    }
  }

  // How many evaluations that is: all first steps, and from each all second ones.
  std::size_t evaluations(std::uint32_t first, std::uint32_t second) const {
    const std::size_t of_first = actions_[first].end - actions_[first].begin;
    return of_first * (1 + actions_[second].end - actions_[second].begin);
  }

  // The next larger cost of a pair of classes; a lower bound on it where classes are not made yet.
  std::optional<std::int64_t> cost_after(std::int64_t cost);

 private:
  const ActionTable& actions_;
  std::unordered_map<std::int64_t, std::optional<std::int64_t>> known_;  // values of cost_after,
  std::size_t classes_ = 0;                                              // for so many classes
};

}  // namespace bnnplan
