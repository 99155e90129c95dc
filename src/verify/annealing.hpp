#pragma once

#include "verify/local_search.hpp"

namespace bnnplan {

// As find_flips, as if flips that cost less than `below` were all free, as they are where the largest one counts: by simulated
// annealing. What is not needed is taken back.
std::optional<FlipSet> anneal_flips(const FlipQuestion& question, const FlipNetwork& network,
                                    const LocalSearchOptions& options, LimitWatch& watch);

}  // namespace bnnplan
