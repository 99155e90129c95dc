#pragma once

#include <string>

#include "check/pb_formula.hpp"
#include "check/proof_check.hpp"

namespace bnnplan::fuzz {

// Whether what an accepted proof claims is true, by trying every assignment: "" if it is, otherwise what is
// wrong with it. Requires at most 20 variables.
std::string untrue_claim(const PbFormula& formula, const ProofCheck& check);

}  // namespace bnnplan::fuzz
