// The checker of src/check as it is, fed step by step instead of from a file.
#include "cdcl/memory_proof.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace bnnplan::testing {

namespace {

PbConstraint clause_of(std::span<const Lit> literals) {
  std::vector<PbConstraint::Term> terms;
  for (const Lit literal : literals) terms.push_back({1, literal});
  return normal_constraint(terms, 1);
}

bool is_true(std::span<const BitValue> values, Lit literal) {
  return (values[literal.var().index] != 0) != literal.negated();
}

}  // namespace

MemoryProof::MemoryProof(PbFormula formula)
    : formula_(std::move(formula)),
      propagator_(formula_.variables),
      last_number_(formula_.constraints.size()) {
  for (const PbConstraint& constraint : formula_.constraints) propagator_.add(constraint);
}

void MemoryProof::refuse(const char* what) const {
  throw std::logic_error(fmt::format("proof step {}: {}", last_number_, what));
}

bool MemoryProof::follows(std::span<const Lit> clause) { return propagator_.implies(clause_of(clause)); }

std::uint64_t MemoryProof::add_clause(std::span<const Lit> literals) {
  ++last_number_;
  if (concluded_) refuse("a clause after the conclusion");
  if (!follows(literals)) refuse("a clause that does not follow");
  clauses_.emplace_back(literals.begin(), literals.end());
  numbers_.emplace(last_number_, propagator_.add(clause_of(literals)));
  return last_number_;
}

void MemoryProof::delete_clause(std::uint64_t number) {
  const auto found = numbers_.find(number);
  if (found == numbers_.end()) refuse("a deletion of no learned clause");
  propagator_.remove(found->second);
  numbers_.erase(found);
}

void MemoryProof::add_solution(std::span<const BitValue> values, bool objective) {
  ++last_number_;
  if (values.size() != formula_.variables) refuse("a solution of the wrong size");
  for (const PbConstraint& constraint : formula_.constraints) {
    std::int64_t sum = 0;
    for (const auto& [coefficient, literal] : constraint.terms)
      sum += is_true(values, literal) ? coefficient : 0;
    if (sum < constraint.bound) refuse("a solution that violates a constraint");
  }
  ++solutions_;
  if (!objective) return;
  std::int64_t value = 0;
  for (const auto& [coefficient, literal] : formula_.objective)
    value += is_true(values, literal) ? coefficient : 0;
  if (value_ && value >= *value_) refuse("a solution that is no better");
  value_ = value;
  propagator_.add(normal_constraint(negated(formula_.objective), -(value - 1)));
}

void MemoryProof::conclude() {
  if (concluded_) refuse("a second conclusion");
  concluded_ = true;
}

void MemoryProof::conclude_optimal(std::int64_t optimum) {
  conclude();
  if (value_ != optimum) refuse("an optimum that no solution has");
  if (!follows({})) refuse("an optimum without a contradiction");
}

void MemoryProof::conclude_infeasible() {
  conclude();
  if (solutions_ > 0) refuse("infeasible after a solution");
  if (!follows({})) refuse("infeasible without a contradiction");
}

void MemoryProof::conclude_satisfiable() {
  conclude();
  if (solutions_ == 0) refuse("satisfiable without a solution");
}

}  // namespace bnnplan::testing
