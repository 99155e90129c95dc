#pragma once

#include <string>

#include "bnnplan/check/pb_formula.hpp"
#include "bnnplan/check/proof_check.hpp"
#include "proof_steps.hpp"

namespace bnnplan::fuzz {

// Whether the claim of an accepted proof is true, by trying every assignment: "" if it is, otherwise what is
// wrong with it. Requires at most 20 variables. A draft is judged as it was written, which also tests the
// checker's reader and its normal forms; a formula from a file is judged as the checker read it.
std::string untrue_claim(const FormulaDraft& formula, const checking::ProofCheck& check);
std::string untrue_claim(const checking::PbFormula& formula, const checking::ProofCheck& check);

}  // namespace bnnplan::fuzz
