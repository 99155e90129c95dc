#pragma once

#include "bnnplan/learn/latent_network.hpp"

namespace bnnplan::learning {

// Sets the given share of the remaining weights, those closest to 0, to 0 permanently; every neuron keeps at
// least one. The share is of the whole network, so layers thin out where they can bear it. Returns the number
// pruned.
std::size_t prune(LatentNetwork& network, double share);

}  // namespace bnnplan::learning
