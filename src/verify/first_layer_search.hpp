#pragma once

#include <cstdint>

#include "bnnplan/verify/enumerate.hpp"

namespace bnnplan::verification {

// Whether this search applies: costs are added up, and there is a layer of neurons between the input and the
// scores.
bool has_first_layer(const FlipQuestion& question);

// A set that makes the question's property hold among those that cost at most `budget`: any one, or none if
// that is proved, using as many threads as the limits of `watch` allow, if there is work for them. Work is
// counted in evaluations of flip_network, and subtracted from `work`; not complete if that ran out, or if
// more than 64 neurons can change. Requires has_first_layer and that the property does not hold without
// flips.
EnumerationOutcome search_first_layer(const FlipQuestion& question, const FlipNetwork& network,
                                      std::int64_t budget, std::uint64_t& work, LimitWatch& watch);

}  // namespace bnnplan::verification
