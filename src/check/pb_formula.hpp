#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/literal.hpp"

namespace bnnplan::checking {

// sum of coefficient * literal >= bound, with positive coefficients, different variables.
struct PbConstraint {
  struct Term {
    std::int64_t coefficient;
    Lit literal;
  };
  std::vector<Term> terms;
  std::int64_t bound = 0;
};

// The formula that a proof refers to: numbered constraints (an equation is two) and an objective to minimise
// over variables x1, x2, ...
struct PbFormula {
  std::uint32_t variables = 0;
  std::vector<PbConstraint> constraints;
  std::vector<PbConstraint::Term> objective;  // any coefficients and literals, also repeated
  bool has_objective = false;
};

// Brings terms in any form (repeated and opposite literals, negative coefficients) into normal form.
PbConstraint normal_constraint(const std::vector<PbConstraint::Term>& terms, std::int64_t bound);
std::vector<PbConstraint::Term> negated(std::vector<PbConstraint::Term> terms);  // all coefficients

// Appends a normal constraint. Throws OverflowError if the sums that the checker computes do not fit into 64
// bits.
void add_constraint(PbFormula& formula, PbConstraint constraint);

// A valid OPB file with features that are not supported here: products of variables, soft constraints,
// numbers beyond 64 bits.
struct UnsupportedFormula : InputError {
  using InputError::InputError;
};

// The formula in an OPB file. Throws InputError.
PbFormula parse_opb(std::string_view text, const std::string& name);

}  // namespace bnnplan::checking
