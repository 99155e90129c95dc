#pragma once

#include "learn/latent_network.hpp"

namespace bnnplan {

// Sets the given share of the weights that are left, those nearest to 0, to 0 for good; every neuron keeps at
// least one. The share is of the whole network, so layers thin out where they can bear it. Returns how many.
std::size_t prune(LatentNetwork& network, double share);

}  // namespace bnnplan
