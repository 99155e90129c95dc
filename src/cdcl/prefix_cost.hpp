#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cdcl/solver.hpp"

namespace bnnplan {

// What a plan has cost up to each place of it, as literals that learned clauses can speak of; and with them the
// demand for a sum below a bound that falls.
class PrefixCost {
 public:
  // The objective sum of weight * literal in the order of time, weights positive and variables different. Only sums
  // below `upper` > 0 matter, and demand_below() is called with no more than that. Requires that size() is not
  // too much, and with a proof that its last solution costs `upper`.
  PrefixCost(Solver& solver, const std::vector<WeightedLit>& objective, std::int64_t upper);

  // How many variables it takes; counts no further than `most` and then returns more than that.
  static std::size_t size(const std::vector<WeightedLit>& objective, std::int64_t upper, std::size_t most);

  // With a proof its last solution has to cost `upper`.
  void demand_below(std::int64_t upper);

 private:
  struct Sum {
    std::int64_t value;
    Lit reached;                   // at least this
    std::uint64_t definition = 0;  // in the proof; the next number is the other direction
  };
  Sum define(const std::vector<WeightedLit>& terms, std::int64_t value);
  void imply(const Sum& from, const Sum& to, std::optional<Lit> also = {});  // from, and also -> to

  Solver& solver_;
  std::vector<Sum> sums_;  // at the end, smallest first
};

}  // namespace bnnplan
