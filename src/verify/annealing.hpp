#pragma once

#include "bnnplan/verify/local_search.hpp"

namespace bnnplan::verification {

// Like find_flips, but treats all flips that cost less than `below` as free, as they are if the largest one
// counts: by simulated annealing. Flips that are not needed are taken back.
std::optional<FlipSet> anneal_flips(const FlipQuestion& question, const FlipNetwork& network,
                                    const LocalSearchOptions& options, LimitWatch& watch);

}  // namespace bnnplan::verification
