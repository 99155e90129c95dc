#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/bit_value.hpp"
#include "network/network.hpp"

namespace bnnplan {

// The definition of inference, short enough to be read as one: what the plan checker uses and what the
// bit-packed inference is tested against. Inputs and outputs are one 0 or 1 per bit.
// Of a classifier these are the bits below its scores. Requires inputs.size() == network.inputs.size().
BitValues evaluate_reference(const Network& network, std::span<const BitValue> inputs);

// The bits of numbers, x >= threshold each; an input that is a bit has the number 0 or 1.
BitValues binarize(const Network& network, std::span<const mpq_class> numbers);

// The scores of a classifier, one per class, and the class that has the best of them. Requires is_classifier.
std::vector<mpq_class> reference_scores(const Network& network, std::span<const BitValue> inputs);
std::size_t best_class(std::span<const mpq_class> scores, ClassTie tie);
std::size_t reference_class(const Network& network, std::span<const BitValue> inputs);

// One layer of it. Requires as many inputs as every neuron has weights.
BitValues evaluate_layer(const Layer& layer, std::span<const BitValue> inputs);

}  // namespace bnnplan
