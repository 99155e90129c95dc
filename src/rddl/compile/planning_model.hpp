#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rddl/compile/fixed_point.hpp"
#include "rddl/ground/ground.hpp"

namespace bnnplan {

// What planning takes for a random outcome.
struct Determinization {
  enum class Method : std::uint8_t {
    refuse,
    mean,         // the mean; of whole numbers the nearest to it, of objects and truths the most likely
    most_likely,  // the most likely outcome; a number is its mean or, if it is whole, its most likely value
    threshold,    // true, or this value, if it has at least this probability; otherwise as most_likely
    sample,       // every distribution in the text has one luck, drawn from the seed, the same at all steps
    hindsight     // several futures at once (futures.hpp), each with a luck for every distribution and step
  };
  Method method = Method::refuse;
  Rational probability = {1, 2};  // threshold
  std::uint64_t seed = 0;         // sample, hindsight
  int futures = 1;                // hindsight
  int steps = 0;                  // hindsight: that luck is drawn for; 0: as many as the horizon has
  bool observations = false;      // determinize them as well, for simulation
};

// From most-likely, mean, threshold=P, sample=SEED, hindsight=N or hindsight=N:SEED. Throws InputError.
Determinization parse_determinization(std::string_view text);
std::string determinization_text(const Determinization& determinization);

// Whether anything but observations is random.
bool has_random_parts(const GroundModel& model);

// A deterministic model of the same variables without real intermediate variables and observations, whose definitions
// stand where they were used. Observations themselves are constant, unless they are wanted. Throws RddlError for what is random where that is
// refused, and for distributions that cannot be determinized.
// Real state and actions with a precision become integers, of its units.
GroundModel planning_model(const GroundModel& model, const Determinization& determinization,
                           const FixedPoint& precision = {});

}  // namespace bnnplan
