#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/network.hpp"

namespace bnnplan {

// The definition of inference, short enough to be read as one: what the plan checker uses and what the
// bit-packed inference is tested against. Inputs and outputs are one 0 or 1 per bit.
// Requires inputs.size() == network.inputs.size().
std::vector<std::uint8_t> evaluate_reference(const Network& network, std::span<const std::uint8_t> inputs);

// One layer of it. Requires as many inputs as every neuron has weights.
std::vector<std::uint8_t> evaluate_layer(const Layer& layer, std::span<const std::uint8_t> inputs);

}  // namespace bnnplan
