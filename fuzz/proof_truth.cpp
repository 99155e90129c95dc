// The judge of the proof checker: brute force over the formula, in 128 bits so that no sum can overflow. It
// knows nothing about proofs; it considers only what the checker says has been shown.
#include "proof_truth.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace bnnplan::fuzz {

namespace {

using Value = __int128;

Value sum_of(const Terms& terms, std::uint32_t assignment) {
  Value sum = 0;
  for (const auto& [coefficient, literal] : terms) {
    const bool bit = (assignment >> literal.var().index & 1) != 0;
    if (bit != literal.negated()) sum += coefficient;
  }
  return sum;
}

bool satisfies(const FormulaDraft& formula, std::uint32_t assignment) {
  for (const FormulaDraft::Row& row : formula.rows) {
    const Value sum = sum_of(row.terms, assignment);
    if (row.equation ? sum != row.bound : sum < row.bound) return false;
  }
  return true;
}

std::uint32_t variables_of(const FormulaDraft& formula) {
  std::uint32_t variables = 0;
  const auto add = [&](const Terms& terms) {
    for (const auto& term : terms) variables = std::max(variables, term.literal.var().index + 1);
  };
  if (formula.objective) add(*formula.objective);
  for (const FormulaDraft::Row& row : formula.rows) add(row.terms);
  return variables;
}

struct Truth {
  std::optional<Value> least;  // nothing: there is no solution
  bool attained = false;       // a solution has the claimed value
};

Truth truth_of(const FormulaDraft& formula, std::int64_t claimed) {
  Truth truth;
  const std::uint32_t assignments = 1u << variables_of(formula);
  for (std::uint32_t assignment = 0; assignment < assignments; ++assignment) {
    if (!satisfies(formula, assignment)) continue;
    const Value value = formula.objective ? sum_of(*formula.objective, assignment) : 0;
    if (!truth.least || value < *truth.least) truth.least = value;
    truth.attained = truth.attained || value == claimed;
  }
  return truth;
}

}  // namespace

std::string untrue_claim(const FormulaDraft& formula, const checking::ProofCheck& check) {
  const Truth truth = truth_of(formula, check.value);
  const std::string known = truth.least
                                ? fmt::format("the optimum is {}", static_cast<std::int64_t>(*truth.least))
                                : "there is no solution";
  switch (check.claim) {
    case checking::ProofCheck::Claim::nothing:
      return "accepted without a claim";
    case checking::ProofCheck::Claim::satisfiable:
      if (!truth.least) return "claimed to be satisfiable, but " + known;
      if (!truth.attained)
        return fmt::format("a solution of value {} is claimed, but none has it; {}", check.value, known);
      return "";
    case checking::ProofCheck::Claim::optimal:
      if (truth.least == Value{check.value}) return "";
      return fmt::format("proved optimal with value {}, but {}", check.value, known);
    case checking::ProofCheck::Claim::infeasible:
      return truth.least ? "proved infeasible, but " + known : "";
  }
  return "an unknown claim";
}

std::string untrue_claim(const checking::PbFormula& formula, const checking::ProofCheck& check) {
  FormulaDraft draft;
  if (formula.has_objective) draft.objective = formula.objective;
  for (const checking::PbConstraint& constraint : formula.constraints)
    draft.rows.push_back({constraint.terms, false, constraint.bound});
  return untrue_claim(draft, check);
}

}  // namespace bnnplan::fuzz
