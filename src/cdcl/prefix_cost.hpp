#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

// The cost of a plan up to each of its steps, as literals that learned clauses can mention; and with them the
// demand for a sum below a falling bound.
class PrefixCost {
 public:
  // The objective: sum of weight * literal in the order of time, with positive weights and different
  // variables. Only sums below `upper` > 0 matter, and demand_below() must not be called with more than that.
  // Requires that size() is acceptable and, with a proof, that its last solution costs `upper`.
  PrefixCost(Solver& solver, const std::vector<WeightedLit>& objective, std::int64_t upper);

  // The number of variables it needs; stops counting beyond `most` and then returns more than that.
  static std::size_t size(const std::vector<WeightedLit>& objective, std::int64_t upper, std::size_t most);

  // With a proof, its last solution must cost `upper`.
  void demand_below(std::int64_t upper);

 private:
  struct Sum {
    std::int64_t value;
    Lit reached;                   // true if the sum is at least `value`
    std::uint64_t definition = 0;  // in the proof; the next number is the other direction
  };
  Sum define(const std::vector<WeightedLit>& terms, std::int64_t value);
  void imply(const Sum& from, const Sum& to, std::optional<Lit> also = {});  // from and also -> to

  Solver& solver_;
  std::vector<Sum> sums_;  // at the end, smallest first
};

}  // namespace bnnplan::cdcl
