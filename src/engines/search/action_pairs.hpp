#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "bnnplan/engines/search/action_table.hpp"

namespace bnnplan::engines {

// Pairs of action classes, for the last two steps of a plan, by their total cost above the cheapest pair.
class ActionPairs {
 public:
  explicit ActionPairs(const ActionTable& actions) : actions_(actions) {}  // keeps a reference

  // Whether all classes that a pair of this cost could contain have been made.
  bool made(std::int64_t cost) const {
    const auto bound = actions_.lower_bound(actions_.class_count());
    return !bound || *bound - actions_[0].cost > cost;
  }

  // Calls visit(first, second) for the pairs with this total cost.
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

  // The number of evaluations: all first steps, and from each all second steps.
  std::size_t evaluations(std::uint32_t first, std::uint32_t second) const {
    const std::size_t of_first = actions_[first].end - actions_[first].begin;
    return of_first * (1 + actions_[second].end - actions_[second].begin);
  }

  // The next larger cost of a pair of classes; a lower bound on it if not all classes are made yet.
  std::optional<std::int64_t> cost_after(std::int64_t cost);

 private:
  const ActionTable& actions_;
  // Values of cost_after, valid for this number of classes.
  std::unordered_map<std::int64_t, std::optional<std::int64_t>> known_;
  std::size_t classes_ = 0;
};

}  // namespace bnnplan::engines
