#pragma once

#include <span>

#include "base/bit_value.hpp"
#include "network/network.hpp"

namespace bnnplan {

// The definition of inference, short enough to be read as one: what the plan checker uses and what the
// bit-packed inference is tested against. Inputs and outputs are one 0 or 1 per bit.
// Requires inputs.size() == network.inputs.size().
BitValues evaluate_reference(const Network& network, std::span<const BitValue> inputs);

// One layer of it. Requires as many inputs as every neuron has weights.
BitValues evaluate_layer(const Layer& layer, std::span<const BitValue> inputs);

}  // namespace bnnplan
