#pragma once

#include <cstdint>

#include "bnnplan/check/pb_formula.hpp"

namespace bnnplan::checking {

// The steps of `pol` on constraints in normal form; each result follows from its operands. All throw
// OverflowError if 64 bits do not suffice.

PbConstraint sum_of(const PbConstraint& a, const PbConstraint& b);
PbConstraint multiplied(PbConstraint constraint, std::int64_t factor);   // requires factor > 0
PbConstraint divided_up(PbConstraint constraint, std::int64_t divisor);  // requires divisor > 0
PbConstraint saturated(PbConstraint constraint);
PbConstraint weakened(PbConstraint constraint, Var variable);  // without the variable

}  // namespace bnnplan::checking
