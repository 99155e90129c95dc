#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bnnplan/rddl/ground/bit_layout.hpp"
#include "bnnplan/rddl/ground/ground.hpp"

namespace bnnplan::rddl {

// The precision of real fluents in planning: they are multiples of 10^-decimals.
struct FixedPoint {
  std::map<std::string, int> decimals;  // by the name of a fluent or of a ground variable
  std::optional<int> others;            // for all other reals; if not given, these are refused

  bool empty() const { return decimals.empty() && !others; }
};

// From texts NAME=0.01, or 0.01 for all others. Throws InputError.
FixedPoint parse_precision(const std::vector<std::string>& arguments);

// Of a real state or action variable, if it has a precision. `check_precision` throws InputError for unknown
// names.
std::optional<int> decimals_of(const FixedPoint& precision, const GroundVariable& variable);
void check_precision(const GroundModel& model, const FixedPoint& precision);

// The ranges of the real state variables with a precision but neither a given range nor bounds in the domain:
// what random episodes of `steps` steps reach, and half as much beyond on both sides. By the names of the
// variables. `fixed` is the model with its reals as fixed point.
GivenRanges simulated_ranges(const GroundModel& model, const GroundModel& fixed, const GivenRanges& given,
                             int steps);

// Notes about both for the user, a line each.
std::vector<std::string> precision_notes(const GroundModel& model, const FixedPoint& precision,
                                         const GivenRanges& simulated);

}  // namespace bnnplan::rddl
