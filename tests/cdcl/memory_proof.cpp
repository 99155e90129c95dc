// The checker of src/check as it is, fed step by step instead of from a file.
#include "cdcl/memory_proof.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "bnnplan/check/cutting_planes.hpp"
#include "bnnplan/check/definition.hpp"

namespace bnnplan::testing {

namespace {

checking::PbConstraint clause_of(std::span<const Lit> literals) {
  std::vector<checking::PbConstraint::Term> terms;
  for (const Lit literal : literals) terms.push_back({1, literal});
  return checking::normal_constraint(terms, 1);
}

}  // namespace

MemoryProof::MemoryProof(checking::PbFormula formula)
    : formula_(std::move(formula)),
      propagator_(formula_.variables),
      variables_(formula_.variables),
      last_number_(0) {
  for (const checking::PbConstraint& constraint : formula_.constraints) add(constraint);
}

std::uint64_t MemoryProof::add(const checking::PbConstraint& constraint) {
  numbers_.emplace(++last_number_, propagator_.add(constraint));
  return last_number_;
}

void MemoryProof::refuse(const char* what) const {
  throw std::logic_error(fmt::format("after proof step {}: {}", last_number_, what));
}

bool MemoryProof::follows(std::span<const Lit> clause) { return propagator_.implies(clause_of(clause)); }

std::uint64_t MemoryProof::add_clause(std::span<const Lit> literals) {
  if (concluded_) refuse("a clause after the conclusion");
  if (!follows(literals)) refuse("a clause that does not follow");
  clauses_.emplace_back(literals.begin(), literals.end());
  return add(clause_of(literals));
}

void MemoryProof::delete_clause(std::uint64_t number) {
  const auto found = numbers_.find(number);
  if (found == numbers_.end() || number <= formula_.constraints.size() || number == last_solution_)
    refuse("a deletion of no learned clause");
  propagator_.remove(found->second);
  numbers_.erase(found);
  if (const auto definition = halves_.find(number); definition != halves_.end()) {
    listed_.resize(variables_);
    listed_[definition->second.index] = true;
  }
  ++deleted_;
}

std::uint64_t MemoryProof::define(Var variable, std::span<const WeightedLit> sum, std::int64_t bound) {
  if (variable.index < variables_) refuse("a definition of a variable that is not new");
  variables_ = variable.index + 1;
  ++definitions_;
  propagator_.grow(variables_);
  std::vector<checking::PbConstraint::Term> terms, opposite;
  std::int64_t total = 0;
  for (const auto& [coefficient, literal] : sum) {
    terms.push_back({coefficient, literal});
    opposite.push_back({coefficient, ~literal});
    total += coefficient;
  }
  terms.push_back({bound, Lit::negative(variable)});
  opposite.push_back({total - bound + 1, Lit::positive(variable)});
  const checking::DefinitionHalf first{variable, false, checking::normal_constraint(terms, bound)};
  const checking::DefinitionHalf second{variable, true,
                                        checking::normal_constraint(opposite, total - bound + 1)};
  if (!checking::flaw_of_half(first).empty() || !checking::flaw_of_half(second).empty() ||
      !checking::flaw_of_pair(first, second).empty())
    refuse("an invalid definition");
  const std::uint64_t number = add(first.constraint);
  halves_.emplace(number, variable);
  halves_.emplace(add(second.constraint), variable);
  return number;
}

std::uint64_t MemoryProof::add_sum(std::span<const cdcl::ProofSummand> summands, std::int64_t divisor) {
  checking::PbConstraint sum;
  for (const auto& [number, factor] : summands) {
    const auto found = numbers_.find(number);
    if (found == numbers_.end() || factor < 1) refuse("a sum of what is not there");
    sum = checking::sum_of(sum, checking::multiplied(propagator_.constraint(found->second), factor));
  }
  return add(checking::saturated(checking::divided_up(sum, divisor)));
}

std::uint64_t MemoryProof::log_solution(std::span<const Lit> literals, bool objective) {
  if (!propagator_.satisfied_by(literals, listed_))
    refuse("a solution that violates a constraint or leaves something open");
  ++solutions_;
  if (!objective) return 0;
  std::int64_t value = 0;
  for (const auto& [coefficient, literal] : formula_.objective)
    value += propagator_.values()[literal.code] > 0 ? coefficient : 0;
  if (value_ && value >= *value_) refuse("a solution that is no better");
  value_ = value;
  last_solution_ = add(checking::normal_constraint(checking::negated(formula_.objective), -(value - 1)));
  return last_solution_;
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
