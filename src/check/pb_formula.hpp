#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bit_value.hpp"
#include "base/input_error.hpp"
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
  std::vector<PbConstraint::Term> objective;  // any coefficients and literals, also repeated
  bool has_objective = false;
};

// Adds the terms in any form (repeated and opposite literals, negative coefficients) up to the normal form.
PbConstraint normal_constraint(const std::vector<PbConstraint::Term>& terms, std::int64_t bound);
std::vector<PbConstraint::Term> negated(std::vector<PbConstraint::Term> terms);  // all coefficients

// Appends a normal constraint. Throws OverflowError if what the checker adds up does not fit into 64 bits.
void add_constraint(PbFormula& formula, PbConstraint constraint);

// What values say in a formula; every variable must have one.
struct PbValues {
  std::optional<std::size_t> violated;  // the number, from 1, of the first constraint that does not hold
  std::int64_t objective = 0;           // 0 without one
};
PbValues check_values(const PbFormula& formula, const BitValues& values);

// What is right as an OPB file, and more than is done here: products of variables, soft constraints, numbers
// beyond 64 bits.
struct UnsupportedFormula : InputError {
  using InputError::InputError;
};

// The formula in an OPB file. Throws InputError.
PbFormula parse_opb(std::string_view text, const std::string& name);

}  // namespace bnnplan
