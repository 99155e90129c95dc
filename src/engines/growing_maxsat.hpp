#pragma once

#include <vector>

#include "bnnplan/engines/neuron/growing_horizon.hpp"

namespace bnnplan::engines {

// solve_horizons by the MaxSAT solver instead of the neuron engine's solver: one incremental solver for all
// horizons, which keeps clauses, cores and learned clauses (maxsat/incremental_maxsat.hpp). The same
// contract.
std::vector<HorizonAnswer> solve_horizons_by_maxsat(
    const Problem& problem, std::int32_t first, std::int32_t last, bool until_plan, const Limits& limits,
    encoding::NeuronEncoding neurons = encoding::NeuronEncoding::automatic);

}  // namespace bnnplan::engines
