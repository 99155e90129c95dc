// Core-guided search over the solver's own constraints. Where a SAT solver needs a totalizer, n k clauses and
// more for n inputs and k outputs, here "at least k of the core" is one neuron with n inputs, and the bound
// on a sum is one row.
#include "bnnplan/cdcl/native_oracle.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::cdcl {

namespace {

std::int64_t signed_weight(formats::Weight weight) {
  if (weight > static_cast<formats::Weight>(std::numeric_limits<std::int64_t>::max())) throw OverflowError();
  return static_cast<std::int64_t>(weight);
}

}  // namespace

SatAnswer NativeOracle::solve(std::span<const Lit> assumptions, std::optional<int> conflict_limit) {
  ++calls_;
  core_.clear();
  const std::uint64_t most = conflict_limit ? static_cast<std::uint64_t>(*conflict_limit) : ~std::uint64_t{0};
  const SatAnswer answer = solver_.solve(assumptions, most);
  if (answer != SatAnswer::unsatisfiable) return answer;
  // In the order in which they were given.
  std::vector<Lit> failed = solver_.core();
  std::sort(failed.begin(), failed.end());
  for (const Lit literal : assumptions) {
    if (std::binary_search(failed.begin(), failed.end(), literal)) core_.push_back(literal);
  }
  if (proof_) {
    std::vector<Lit> clause;
    for (const Lit literal : core_) clause.push_back(~literal);
    proof_->show(clause);
  }
  return SatAnswer::unsatisfiable;
}

void NativeOracle::took_core(std::span<const Lit> cost_literals, formats::Weight weight) {
  if (proof_) proof_->take(cost_literals, signed_weight(weight));
}

maxsat::CoreOracle::Counter NativeOracle::add_counter(std::span<const Lit> inputs) {
  assert(!inputs.empty());
  counters_.push_back({{inputs.begin(), inputs.end()}, {}, proof_ ? proof_->begin_counter(inputs) : 0});
  return {counters_.size() - 1, inputs.size()};
}

// Outputs are requested in order, so missing earlier ones are created on the way.
Lit NativeOracle::output(const Counter& counter, std::size_t count) {
  auto& [inputs, outputs, in_proof] = counters_[counter.index];
  assert(count >= 1 && count <= inputs.size());
  while (outputs.size() < count) {
    const auto k = static_cast<std::int32_t>(outputs.size() + 1);
    const Lit output = solver_.define_counter(inputs, k);
    if (proof_) proof_->add_output(in_proof, outputs.size() + 1, solver_.definition());
    if (!outputs.empty()) solver_.add_clause({outputs.back(), ~output});
    outputs.push_back(output);
  }
  return outputs[count - 1];
}

maxsat::CoreOracle::BoundedSum NativeOracle::add_bounded_sum(std::vector<maxsat::CostTerm> terms,
                                                             formats::Weight largest) {
  std::vector<WeightedLit> saved;  // sum of weights <= largest: of those not paid, at least total - largest
  std::int64_t total = 0;
  for (const maxsat::CostTerm& term : terms) {
    saved.push_back({signed_weight(term.weight), ~term.literal});
    total = checked_add(total, saved.back().coefficient);
  }
  sums_.push_back({solver_.add_movable_row(std::move(saved), 0), total});
  const BoundedSum sum{sums_.size() - 1};
  tighten(sum, largest);
  return sum;
}

void NativeOracle::tighten(const BoundedSum& sum, formats::Weight largest) {
  const auto [row, total] = sums_[sum.index];
  if (largest < static_cast<formats::Weight>(total))
    solver_.raise_bound(row, total - static_cast<std::int64_t>(largest));
}

}  // namespace bnnplan::cdcl
