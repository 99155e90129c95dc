#pragma once

#include <span>
#include <stdexcept>

#include "bnnplan/base/random.hpp"
#include "bnnplan/rddl/language/functions.hpp"

namespace bnnplan::rddl {

// A parameter is outside the range that its distribution allows; the text names it.
struct DistributionError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// Draws a value from the distribution with one or two parameters, as in pyRDDLGym (functions.hpp). The same
// generator gives the same values with every compiler, up to the rounding of the mathematical functions.
// Integers and Booleans are whole numbers.
double draw(Distribution distribution, double a, double b, SimulationRandom& random);

// Draws an index below weights.size() with these probabilities, which must sum to 1 unless they are
// `unnormalized`.
std::size_t draw_index(std::span<const double> weights, bool unnormalized, SimulationRandom& random);

}  // namespace bnnplan::rddl
