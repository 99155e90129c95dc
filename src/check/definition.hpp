#pragma once

#include <string>

#include "bnnplan/check/pb_formula.hpp"

namespace bnnplan::checking {

// One half of the definition of a variable: the constraint, and the value of the variable that satisfies it.
struct DefinitionHalf {
  Var variable;
  bool value = false;
  PbConstraint constraint;  // in normal form
};

// Why this is not half of a definition, or not the other half of `first`; "" if it is.
std::string flaw_of_half(const DefinitionHalf& half);
std::string flaw_of_pair(const DefinitionHalf& first, const DefinitionHalf& second);

}  // namespace bnnplan::checking
