#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bnnplan/rddl/compile/fixed_point.hpp"
#include "bnnplan/rddl/ground/ground.hpp"

namespace bnnplan::rddl {

// What planning assumes for a random outcome.
struct Determinization {
  enum class Method : std::uint8_t {
    refuse,
    mean,         // the mean; for whole numbers the nearest to it, for objects and truths the most likely
    most_likely,  // the most likely outcome; for a number its mean or, if it is whole, its most likely value
    threshold,    // true, or this value, if it has at least this probability; otherwise as most_likely
    // Each distribution in the text has one random number, drawn from the seed, the same at all steps.
    sample,
    hindsight  // several futures at once (futures.hpp), each with a random number per distribution and step
  };
  Method method = Method::refuse;
  Rational probability = {1, 2};  // threshold
  std::uint64_t seed = 0;         // sample, hindsight
  int futures = 1;                // hindsight
  int steps = 0;                  // hindsight: number of steps to draw for; 0: the horizon
  bool observations = false;      // determinize them as well, for simulation
};

// From most-likely, mean, threshold=P, sample=SEED, hindsight=N or hindsight=N:SEED. Throws InputError.
Determinization parse_determinization(std::string_view text);
std::string determinization_text(const Determinization& determinization);

// Whether anything other than observations is random.
bool has_random_parts(const GroundModel& model);

// A deterministic model of the same variables, in which the definitions of real intermediate variables and
// observations are substituted for their uses. Observations themselves are constant, unless they are wanted.
// Throws RddlError for random outcomes if those are refused, and for distributions that cannot be
// determinized. Real state and action variables with a precision become integers, in its units.
GroundModel planning_model(const GroundModel& model, const Determinization& determinization,
                           const FixedPoint& precision = {});

}  // namespace bnnplan::rddl
