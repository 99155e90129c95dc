#pragma once

#include "rddl/language/functions.hpp"

namespace bnnplan::rddl {

// The value of a function; `b` is ignored if the function has one operand. As in pyRDDLGym, fmod has the sign
// of its second operand, and log[x, b] is to the base b.
double math_value(MathFunction function, double a, double b);

}  // namespace bnnplan::rddl
