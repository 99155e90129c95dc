// Core-guided search as cutting planes (Berg, Bogaerts, Nordstrom, Oertel and Vandesande: Certified
// core-guided MaxSAT solving, 2023). A core c_1 .. c_n of weight w replaces w c_1 + ... + w c_n in the
// objective by w + w o_2 + ... + w o_m, with o_k for "at least k of them". A row states that this is not more
// than before:
//
//   E_m:   c_1 + ... + c_n  >=  1 + o_2 + ... + o_m
//
// E_1 is the clause of the core. With the definition of the next output, k ~o_k + sum c >= k,
//
//   (k - 1) E_(k-1) + definition:   k sum c + (k - 1) (~o_2 + ... + ~o_(k-1)) + k ~o_k >= k (k - 1) + 1
//
// and divided by k, rounded up, this is E_k. The objective is at most the best value minus 1; adding w times
// E for each core gives the remaining objective over the literals that cost something now, against the
// remaining bound. Weights that the search leaves out because other literals imply them only make that
// stronger.
#include "bnnplan/cdcl/core_proof.hpp"

#include <algorithm>
#include <cassert>

namespace bnnplan::cdcl {

void CoreProof::take(std::span<const Lit> cost_literals, std::int64_t weight) {
  const std::uint64_t row = sink_.add_clause(cost_literals);
  cores_.push_back({{cost_literals.begin(), cost_literals.end()}, weight, row});
  for (const std::uint64_t number : shown_) sink_.delete_clause(number);
  shown_.clear();
}

std::size_t CoreProof::begin_counter(std::span<const Lit> cost_literals) {
  const auto found = std::find_if(cores_.begin(), cores_.end(), [&](const Core& core) {
    return !core.counted &&
           std::equal(core.literals.begin(), core.literals.end(), cost_literals.begin(), cost_literals.end());
  });
  assert(found != cores_.end());
  found->counted = true;
  return static_cast<std::size_t>(found - cores_.begin());
}

void CoreProof::add_output(std::size_t counter, std::size_t count, std::uint64_t definition) {
  Core& core = cores_[counter];
  if (count > 1) {
    const auto k = static_cast<std::int64_t>(count);
    const ProofSummand next_row[] = {{core.row, k - 1}, {definition}};
    const std::uint64_t row = sink_.add_sum(next_row, k);
    sink_.delete_clause(core.row);
    core.row = row;
    // o_k -> o_(k - 1): the definition of the former, and the other direction of the latter.
    const ProofSummand order[] = {{core.last_definition + 1}, {definition}};
    sink_.add_sum(order);
  }
  core.last_definition = definition;
}

void CoreProof::add_up() {
  const std::uint64_t demand = row_ != 0 ? row_ : sink_.last_solution();
  if (demand == 0) return;
  if (sum_ != 0) sink_.delete_clause(sum_);
  std::vector<ProofSummand> summands{{demand}};
  for (const Core& core : cores_) summands.push_back({core.row, core.weight});
  sum_ = sink_.add_sum(summands);
}

}  // namespace bnnplan::cdcl
