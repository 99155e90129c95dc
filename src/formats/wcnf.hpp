#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <vector>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/literal.hpp"

namespace bnnplan::formats {

// Clauses stored consecutively in a single array: millions of short ones without an allocation each.
class ClauseList {
 public:
  void add(std::span<const Lit> clause) {
    literals_.insert(literals_.end(), clause.begin(), clause.end());
    ends_.push_back(literals_.size());
  }
  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  std::span<const Lit> operator[](std::size_t i) const {
    assert(i < size());
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(literals_).subspan(begin, ends_[i] - begin);
  }
  std::size_t bytes() const {
    return literals_.capacity() * sizeof(Lit) + ends_.capacity() * sizeof(std::size_t);
  }

 private:
  std::vector<Lit> literals_;
  std::vector<std::size_t> ends_;
};

// Weights and sums of them. All weights of a formula together stay below 2^64 - 1, as the MaxSAT Evaluation
// requires, and no search increases them: so sums need no check once a formula is built.
using Weight = std::uint64_t;
constexpr Weight largest_weight_sum = std::numeric_limits<Weight>::max() - 1;

// A weighted partial MaxSAT formula, exactly as given: satisfy all hard clauses such that the weights of the
// falsified soft clauses have the smallest sum. Clauses may be empty, repeat literals or contain a literal
// and its negation; variables may be unused; weights may be 0.
struct Wcnf {
  std::uint32_t variables = 0;  // all variables are below this
  ClauseList hard;
  ClauseList soft;
  std::vector<Weight> weights;           // of the soft clauses
  std::vector<std::size_t> hard_before;  // of the soft clauses: hard ones that were added before it
  Weight weight_sum = 0;                 // at most largest_weight_sum

  Lit new_variable() { return Lit::positive({variables++}); }
  void add_hard(std::span<const Lit> clause) {
    cover(clause);
    hard.add(clause);
  }
  void add_hard(std::initializer_list<Lit> clause) { add_hard(std::span(clause.begin(), clause.size())); }
  // Throws OverflowError, and adds nothing, if the sum of the weights would exceed largest_weight_sum.
  void add_soft(std::span<const Lit> clause, Weight weight) {
    if (weight > largest_weight_sum - weight_sum) throw OverflowError();
    weight_sum += weight;
    cover(clause);
    soft.add(clause);
    weights.push_back(weight);
    hard_before.push_back(hard.size());
  }
  void add_soft(std::initializer_list<Lit> clause, Weight weight) {
    add_soft(std::span(clause.begin(), clause.size()), weight);
  }

 private:
  void cover(std::span<const Lit> clause) {
    for (const Lit lit : clause) variables = std::max(variables, lit.var().index + 1);
  }
};

}  // namespace bnnplan::formats
