#include "cdcl/prefix_cost.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstdio>
#include <map>

namespace bnnplan {

PrefixCost::PrefixCost(Solver& solver, const std::vector<WeightedLit>& objective, std::int64_t upper)
    : solver_(solver) {
  fprintf(stderr,"prefix: %zu terms, upper %ld, w %ld\n",objective.size(),(long)upper,(long)objective[0].coefficient);
  static const bool both = std::getenv("PBOTH") != nullptr;
  for (const auto& [weight, literal] : objective) {
    std::map<std::int64_t, Lit> next;
    const auto reached = [&](std::int64_t value) {
      const auto found = next.find(value);
      if (found != next.end()) return found->second;
      return next[value] = Lit::positive(solver.new_variable());
    };
    for (const Sum& sum : last_) solver.add_clause({~sum.reached, reached(sum.value)});
    if (weight < upper)
      solver.add_clause({~literal, reached(weight)});
    else
      solver.add_clause({~literal});
    for (const Sum& sum : last_) {
      if (sum.value + weight < upper) {
        solver.add_clause({~literal, ~sum.reached, reached(sum.value + weight)});
      } else {
        solver.add_clause({~literal, ~sum.reached});
        break;
      }
    }
    std::vector<Sum> sums;
    for (const auto& [value, lit] : next) {
      if (!sums.empty()) solver.add_clause({~lit, sums.back().reached});
      sums.push_back({value, lit});
    }
    if (both) {
      // at least v now: at least v before, or the literal and at least v - w before
      for (const Sum& sum : sums) {
        auto at = std::lower_bound(last_.begin(), last_.end(), sum.value, [](const Sum& s, std::int64_t v) { return s.value < v; });
        std::vector<Lit> clause{~sum.reached, literal};
        if (at != last_.end()) clause.push_back(at->reached);
        solver.add_clause(clause);
        if (sum.value - weight > 0) {
          auto b = std::lower_bound(last_.begin(), last_.end(), sum.value - weight, [](const Sum& s, std::int64_t v) { return s.value < v; });
          std::vector<Lit> c2{~sum.reached};
          if (b != last_.end()) c2.push_back(b->reached);
          solver.add_clause(c2);
        }
      }
    }
    last_ = std::move(sums);
  }
}

void PrefixCost::demand_below(std::int64_t upper) {
  for (const Sum& sum : last_) {
    if (sum.value >= upper) {
      solver_.add_clause({~sum.reached});
      break;
    }
  }
}

bool PrefixCost::worth_it(const std::vector<WeightedLit>& objective, std::int64_t upper) {
  (void)objective; (void)upper;
  static const bool on = std::getenv("PREFIX") != nullptr;
  return on;
}

}  // namespace bnnplan
