// Several solvers, one proof: only the variables that they define have to be distinguished.
#include "bnnplan/cdcl/proof_view.hpp"

#include <cassert>
#include <utility>

namespace bnnplan::cdcl {

Lit ProofView::in_proof(Lit literal) const {
  const std::uint32_t v = literal.var().index;
  if (v < own_from_) return literal;
  assert(v - own_from_ < names_.size());
  return Lit::of(names_[v - own_from_], literal.negated());
}

std::uint64_t ProofView::add_clause(std::span<const Lit> literals) {
  literals_.clear();
  for (const Lit literal : literals) literals_.push_back(in_proof(literal));
  return sink_.add_clause(literals_);
}

std::uint64_t ProofView::define(Var variable, std::span<const WeightedLit> sum, std::int64_t bound) {
  assert(variable.index >= own_from_ + names_.size());  // no variable is defined twice
  std::vector<WeightedLit> named;
  for (const auto& [coefficient, literal] : sum) named.push_back({coefficient, in_proof(literal)});
  names_.resize(variable.index - own_from_ + 1);
  names_.back() = Var{next_++};
  return sink_.define(names_.back(), named, bound);
}

void ProofView::list_in_solutions(PrefixSums sums) {
  for (WeightedLit& term : sums.sum) term.literal = in_proof(term.literal);
  for (PrefixSums::Reached& reached : sums.reached)
    reached.variable = in_proof(Lit::positive(reached.variable)).var();
  sink_.list_in_solutions(std::move(sums));
}

}  // namespace bnnplan::cdcl
