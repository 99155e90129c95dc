#pragma once

#include "network/network.hpp"
#include "verify/question.hpp"

namespace bnnplan {

// "The score of winner is at least (strict: above) that of loser" in small integers, exactly: the same truth value
// for all numbers of agreeing inputs. Requires positive scales.
ScoreComparison compare_scores(const Network& network, std::uint32_t winner, std::uint32_t loser,
                               bool strict);

}  // namespace bnnplan
