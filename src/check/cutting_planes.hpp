#pragma once

#include <cstdint>

#include "check/pb_formula.hpp"

namespace bnnplan {

// What the steps of `pol` do with constraints in normal form; each result follows from what it is made of.
// Throw OverflowError where 64 bits do not suffice.

PbConstraint sum_of(const PbConstraint& a, const PbConstraint& b);
PbConstraint multiplied(PbConstraint constraint, std::int64_t factor);   // requires factor > 0
PbConstraint divided_up(PbConstraint constraint, std::int64_t divisor);  // requires divisor > 0
PbConstraint saturated(PbConstraint constraint);
PbConstraint weakened(PbConstraint constraint, Var variable);  // without the variable

}  // namespace bnnplan
