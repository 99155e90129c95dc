#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rddl/ground/bit_layout.hpp"
#include "rddl/ground/ground.hpp"

namespace bnnplan {

// How finely real fluents are planned with: as multiples of 10^-decimals.
struct FixedPoint {
  std::map<std::string, int> decimals;  // by the name of a fluent or of a ground variable
  std::optional<int> others;            // of all other reals; without it these are refused

  bool empty() const { return decimals.empty() && !others; }
};

// From texts NAME=0.01, or 0.01 for all others. Throws InputError.
FixedPoint parse_precision(const std::vector<std::string>& arguments);

// Of a real state or action variable, if it has some. `check_precision` throws InputError for names that are none.
std::optional<int> decimals_of(const FixedPoint& precision, const GroundVariable& variable);
void check_precision(const GroundModel& model, const FixedPoint& precision);

// The ranges of those real state variables that have a precision and neither a range given nor bounds in the domain: what random
// episodes of so many steps reach, and half as much beyond on both sides. By the names of the variables. `fixed` is the model
// with its reals as fixed point.
GivenRanges simulated_ranges(const GroundModel& model, const GroundModel& fixed, const GivenRanges& given,
                             int steps);

// What is to be known about them, a line each.
std::vector<std::string> precision_notes(const GroundModel& model, const FixedPoint& precision,
                                         const GivenRanges& simulated);

}  // namespace bnnplan
