// The judge of the proof checker: brute force over the formula, in 128 bits so that no sum can overflow. It
// knows nothing of proofs; it looks only at what the checker says has been shown.
#include "proof_truth.hpp"

#include <optional>

#include <fmt/format.h>

namespace bnnplan::fuzz {

namespace {

using Value = __int128;

Value sum_of(const std::vector<PbConstraint::Term>& terms, std::uint32_t assignment) {
  Value sum = 0;
  for (const auto& [coefficient, literal] : terms) {
    const bool bit = (assignment >> literal.var().index & 1) != 0;
    if (bit != literal.negated()) sum += coefficient;
  }
  return sum;
}

bool satisfies(const PbFormula& formula, std::uint32_t assignment) {
  for (const PbConstraint& constraint : formula.constraints) {
    if (sum_of(constraint.terms, assignment) < constraint.bound) return false;
  }
  return true;
}

std::optional<Value> least_value(const PbFormula& formula) {
  std::optional<Value> least;
  for (std::uint32_t assignment = 0; assignment >> formula.variables == 0; ++assignment) {
    if (!satisfies(formula, assignment)) continue;
    const Value value = sum_of(formula.objective, assignment);
    if (!least || value < *least) least = value;
  }
  return least;
}

}  // namespace

std::string untrue_claim(const PbFormula& formula, const ProofCheck& check) {
  const std::optional<Value> least = least_value(formula);
  const std::string truth =
      least ? fmt::format("the optimum is {}", static_cast<std::int64_t>(*least)) : "there is no solution";
  switch (check.claim) {
    case ProofCheck::Claim::nothing:
      return "accepted without a claim";
    case ProofCheck::Claim::satisfiable:
      if (!least) return "said to be satisfiable, but " + truth;
      if (*least > check.value)
        return fmt::format("a solution of value {} is claimed, but {}", check.value, truth);
      return "";
    case ProofCheck::Claim::optimal:
      if (least == Value{check.value}) return "";
      return fmt::format("proved optimal with value {}, but {}", check.value, truth);
    case ProofCheck::Claim::infeasible:
      return least ? "proved infeasible, but " + truth : "";
  }
  return "an unknown claim";
}

}  // namespace bnnplan::fuzz
