#pragma once

#include "verify/local_search.hpp"

namespace bnnplan {

// As find_flips, where flips that cost less than `below` are all free: by simulated annealing. Requires a question whose
// largest flip counts.
std::optional<FlipSet> anneal_flips(const FlipQuestion& question, const FlipNetwork& network,
                                    const LocalSearchOptions& options, LimitWatch& watch);

}  // namespace bnnplan
