// Proofs, with the formula they are about: an OPB file and, after "===", a proof. What the checker accepts
// must be true: the optimum, or that there is no solution, is compared with trying every assignment. So this
// is a search for wrong proofs that are accepted.
#include <string>

#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "fuzz_target.hpp"
#include "proof_truth.hpp"

namespace bnnplan::fuzz {

void try_proof(std::string_view input) {
  const auto [opb, proof] = halves(input);
  const checking::PbFormula formula = checking::parse_opb(opb, "f.opb");
  if (formula.variables > 1000) return;  // legal, but takes memory for each of them
  const checking::ProofCheck check = checking::check_proof(formula, proof);
  require(check.accepted || check.refusal == printable(check.refusal, check.refusal.size()),
          "a refusal is one printable line");
  if (!check.accepted || formula.variables > 12) return;
  const std::string untrue = untrue_claim(formula, check);
  require(untrue.empty(), untrue.c_str());
}

}  // namespace bnnplan::fuzz
