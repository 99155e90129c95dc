// Proofs, with the formula they are about: an OPB file and, behind "===", a proof. What the checker accepts
// must be true: the optimum, or that there is no solution, is compared with trying every assignment. So this
// is a search for wrong proofs that are believed.
#include <optional>

#include "check/pb_formula.hpp"
#include "check/proof_check.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

namespace {

using Value = __int128;

bool bit(std::uint32_t assignment, Lit literal) {
  return ((assignment >> literal.var().index & 1) != 0) != literal.negated();
}

bool satisfies(const PbFormula& formula, std::uint32_t assignment) {
  for (const PbConstraint& constraint : formula.constraints) {
    Value sum = 0;
    for (const auto& term : constraint.terms)
      if (bit(assignment, term.literal)) sum += term.coefficient;
    if (sum < constraint.bound) return false;
  }
  return true;
}

std::optional<Value> least_value(const PbFormula& formula) {
  std::optional<Value> least;
  for (std::uint32_t assignment = 0; assignment >> formula.variables == 0; ++assignment) {
    if (!satisfies(formula, assignment)) continue;
    Value value = 0;
    for (const auto& term : formula.objective)
      if (bit(assignment, term.literal)) value += term.coefficient;
    if (!least || value < *least) least = value;
  }
  return least;
}

}  // namespace

void try_input(std::string_view input) {
  const auto [opb, proof] = halves(input);
  const PbFormula formula = parse_opb(opb, "f.opb");
  const ProofCheck check = check_proof(formula, proof);
  require(check.accepted || check.refusal == printable(check.refusal, check.refusal.size()),
          "a refusal is one printable line");
  if (!check.accepted || formula.variables > 12) return;
  const std::optional<Value> least = least_value(formula);
  switch (check.claim) {
    case ProofCheck::Claim::nothing:
      break;
    case ProofCheck::Claim::satisfiable:
      require(least.has_value(), "what is said to be satisfiable is");
      break;
    case ProofCheck::Claim::optimal:
      require(least == Value{check.value}, "what is proved optimal is");
      break;
    case ProofCheck::Claim::infeasible:
      require(!least, "what is proved infeasible is");
      break;
  }
}

}  // namespace bnnplan::fuzz
