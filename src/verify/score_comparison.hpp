#pragma once

#include "bnnplan/network/network.hpp"
#include "bnnplan/verify/property.hpp"

namespace bnnplan::verification {

// "The score of winner is at least (strict: above) that of loser" in small integers, exactly: the same truth
// value for all numbers of agreeing inputs. Requires positive scales.
ScoreCondition compare_scores(const Network& network, std::uint32_t winner, std::uint32_t loser, bool strict);

// "factor * winner's score - loser_factor * loser's score >= (strict: >) bound", in the same way. Requires
// positive scales and factors, and two scores.
struct ScoreDifference {
  std::uint32_t winner = 0, loser = 0;
  mpq_class factor = 1, loser_factor = 1, bound = 0;
  bool strict = false;
};
ScoreCondition compare_scores(const Network& network, const ScoreDifference& difference);

// Whether both hold for the same inputs, as far as weights and numbers of agreeing inputs show: scores may
// differ in digits that no pair of these integers can tell apart, or by a factor.
bool are_the_same(const Network& network, const ScoreDifference& one, const ScoreDifference& other);

}  // namespace bnnplan::verification
