#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan {

// The definition of inference, short enough to be read as one: the plan checker uses it, and bit-packed
// inference is tested against it. Inputs and outputs are one 0 or 1 per bit. For a classifier, the outputs
// are the bits below its scores. Requires inputs.size() == network.inputs.size().
BitValues evaluate_reference(const Network& network, std::span<const BitValue> inputs);

// The bits of numeric inputs, x >= threshold for each; for an input that is a bit, the number is 0 or 1.
BitValues binarize(const Network& network, std::span<const mpq_class> numbers);

// The scores of a classifier, one per class, and the class with the best score. Requires is_classifier.
std::vector<mpq_class> reference_scores(const Network& network, std::span<const BitValue> inputs);
std::size_t best_class(std::span<const mpq_class> scores, ClassTie tie);
std::size_t reference_class(const Network& network, std::span<const BitValue> inputs);

// One layer. Requires one input per weight of every neuron.
BitValues evaluate_layer(const Layer& layer, std::span<const BitValue> inputs);

}  // namespace bnnplan
