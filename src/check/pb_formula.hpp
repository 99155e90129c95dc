#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/literal.hpp"

namespace bnnplan {

// sum of coefficient * literal >= bound, with positive coefficients, different variables.
struct PbConstraint {
  struct Term {
    std::int64_t coefficient;
    Lit literal;
  };
  std::vector<Term> terms;
  std::int64_t bound = 0;
};

// What a proof is about: numbered constraints (an equation is two) and an objective to be minimised over
// variables x1, x2, ...
struct PbFormula {
  std::uint32_t variables = 0;
  std::vector<PbConstraint> constraints;
  std::vector<PbConstraint::Term> objective;  // any coefficients, positive literals
  bool has_objective = false;
};

// Adds the terms in any form (repeated and opposite literals, negative coefficients) up to the normal form.
PbConstraint normal_constraint(const std::vector<PbConstraint::Term>& terms, std::int64_t bound);
std::vector<PbConstraint::Term> negated(std::vector<PbConstraint::Term> terms);  // all coefficients

// Appends a normal constraint. Throws OverflowError if what the checker adds up does not fit into 64 bits.
void add_constraint(PbFormula& formula, PbConstraint constraint);

// The formula in an OPB file. Throws InputError.
PbFormula parse_opb(std::string_view text, const std::string& name);

}  // namespace bnnplan
