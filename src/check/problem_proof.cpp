// A proof is about a formula; a user asks about a problem. The formula is made here from the problem, not
// taken from the author of the proof. If a problem has no reward, every plan has the same cost, so any
// solution is optimal.
#include "bnnplan/check/problem_proof.hpp"

#include <algorithm>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/base/limits.hpp"
#include "bnnplan/check/problem_formula.hpp"

namespace bnnplan::checking {

ProblemProof check_proof(const Problem& problem, std::string_view proof, LimitWatch* watch) {
  const auto [formula, offset] = formula_of(problem, watch);
  ProblemProof result;
  result.check = check_proof(formula, proof, watch);
  if (!result.check.accepted) return result;
  if (result.check.claim == ProofCheck::Claim::optimal) result.cost = checked_add(result.check.value, offset);
  if (result.check.claim == ProofCheck::Claim::satisfiable && problem.objective.terms.empty())
    result.cost = offset;
  return result;
}

std::size_t largest_proof() {
  constexpr std::size_t most = std::size_t{1} << 36;
  const std::size_t machine = machine_memory();
  return machine > 0 ? std::min(most, machine / 2) : most;
}

}  // namespace bnnplan::checking
