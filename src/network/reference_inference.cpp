// Scalar inference, neuron by neuron and weight by weight: output <-> (agreeing inputs) >= threshold.
#include "network/reference_inference.hpp"

#include <cassert>

namespace bnnplan {

BitValues evaluate_layer(const Layer& layer, std::span<const BitValue> inputs) {
  BitValues outputs;
  outputs.reserve(layer.neurons.size());
  for (const Neuron& neuron : layer.neurons) {
    assert(neuron.weights.size() == inputs.size());
    std::int32_t agreeing = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const int value = inputs[i] != 0 ? +1 : -1;
      if (neuron.weights[i] == value) ++agreeing;
    }
    outputs.push_back(agreeing >= neuron.threshold ? 1 : 0);
  }
  return outputs;
}

BitValues evaluate_reference(const Network& network, std::span<const BitValue> inputs) {
  BitValues values(inputs.begin(), inputs.end());
  for (const Layer& layer : network.layers) values = evaluate_layer(layer, values);
  return values;
}

}  // namespace bnnplan
