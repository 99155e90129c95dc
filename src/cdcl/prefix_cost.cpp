// The demand for a lower cost as a chain along time instead of one row over all steps. With l_1 .. l_n the
// literals that cost something, in the order of time, and w_i their costs,
//
//   p_i[v]    w_1 l_1 + ... + w_i l_i >= v      for each v that is such a sum, and the bound for all above it
//
//   p_(i-1)[v] -> p_i[v]        p_(i-1)[v], l_i -> p_i[v + w_i]        p_i[v] -> p_i[v'] for v' < v
//
// A row explains "too much" by the costly literals of all steps, so what is learned about a state holds only
// for plans that paid at the very same moments, and each state is refuted again for every way of getting
// there. With the chain it is "this state at step t, with at least v paid": what dynamic programming would
// store, and for all states that share the bits of the clause. Measured: docs/neuron.md; navigation 20x20,
// cellda 10x10 and learned navigation 8x8, unproved after a minute with the row, take 662, 9,828 and 2,154
// conflicts.
//
// Only these directions are needed to forbid too large a sum; a p_i[v] that nothing implies may be false. A
// proof has both, as definitions: from "p_(i-1)[v] -> sum of i - 1 terms >= v" and "sum of i terms >= v + w_i
// -> p_i[v + w_i]" each implication is a sum of two constraints. After that the definitions are needed only
// at the end, where the first, added to the demand for something better, makes p_n[v] false for every v that
// is too much. Without them the values of all p_i[v] no longer follow from a solution, so the proof lists
// them in each.
#include "bnnplan/cdcl/prefix_cost.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/cdcl/proof_sink.hpp"

namespace bnnplan::cdcl {

namespace {

// The previous sums and those with one more term, each once, smallest first; all from `upper` on count as
// `upper`.
std::vector<std::int64_t> values_with(const std::vector<std::int64_t>& before, std::int64_t weight,
                                      std::int64_t upper) {
  std::vector<std::int64_t> with{std::min(weight, upper)}, all;
  for (const std::int64_t value : before) with.push_back(std::min(checked_add(value, weight), upper));
  with.erase(std::unique(with.begin(), with.end()), with.end());
  std::set_union(before.begin(), before.end(), with.begin(), with.end(), std::back_inserter(all));
  return all;
}

}  // namespace

std::size_t PrefixCost::size(const std::vector<WeightedLit>& objective, std::int64_t upper,
                             std::size_t most) {
  std::vector<std::int64_t> values;
  std::size_t count = 0;
  for (const WeightedLit& term : objective) {
    values = values_with(values, term.coefficient, upper);
    count += values.size();
    if (count > most) break;
  }
  return count;
}

PrefixCost::PrefixCost(Solver& solver, const std::vector<WeightedLit>& objective, std::int64_t upper)
    : solver_(solver) {
  assert(upper > 0);
  std::vector<WeightedLit> terms;  // so far
  std::vector<std::int64_t> values;
  PrefixSums all{objective, {}};
  for (const WeightedLit& term : objective) {
    assert(term.coefficient > 0);
    terms.push_back(term);
    values = values_with(values, term.coefficient, upper);
    const std::vector<Sum> before = std::move(sums_);
    sums_.clear();
    for (const std::int64_t value : values) {
      sums_.push_back(define(terms, value));
      all.reached.push_back({sums_.back().reached.var(), terms.size(), value});
      if (sums_.size() > 1) imply(sums_.back(), sums_[sums_.size() - 2]);
    }
    const auto at_least = [&](std::int64_t value) -> const Sum& {
      return *std::lower_bound(sums_.begin(), sums_.end(), std::min(value, upper),
                               [](const Sum& sum, std::int64_t v) { return sum.value < v; });
    };
    const Lit alone = at_least(term.coefficient).reached;
    if (solver.proof() != nullptr) solver.proof()->add_clause(std::vector{~term.literal, alone});
    solver.add_clause({~term.literal, alone});
    for (const Sum& sum : before) {
      imply(sum, at_least(sum.value));
      if (sum.value < upper) imply(sum, at_least(sum.value + term.coefficient), term.literal);
    }
    if (solver.proof() == nullptr) continue;
    for (const Sum& sum : before) solver.proof()->delete_clause(sum.definition);
    for (const Sum& sum : sums_) solver.proof()->delete_clause(sum.definition + 1);
  }
  if (solver.proof() != nullptr) solver.proof()->list_in_solutions(std::move(all));
}

PrefixCost::Sum PrefixCost::define(const std::vector<WeightedLit>& terms, std::int64_t value) {
  const Lit reached = Lit::positive(solver_.new_variable());
  ProofSink* const proof = solver_.proof();
  return {value, reached, proof != nullptr ? proof->define(reached.var(), terms, value) : 0};
}

void PrefixCost::imply(const Sum& from, const Sum& to, std::optional<Lit> also) {
  if (ProofSink* const proof = solver_.proof()) {
    const ProofSummand summands[] = {{from.definition}, {to.definition + 1}};
    proof->add_sum(summands);
  }
  std::vector<Lit> clause{~from.reached, to.reached};
  if (also) clause.push_back(~*also);
  solver_.add_clause(std::move(clause));
}

void PrefixCost::demand_below(std::int64_t upper) {
  const auto too_much =
      std::find_if(sums_.begin(), sums_.end(), [&](const Sum& sum) { return sum.value >= upper; });
  if (too_much == sums_.end()) return;
  if (ProofSink* const proof = solver_.proof()) {
    const ProofSummand summands[] = {{too_much->definition}, {proof->last_solution()}};
    proof->add_sum(summands);
  }
  solver_.add_clause({~too_much->reached});
}

}  // namespace bnnplan::cdcl
