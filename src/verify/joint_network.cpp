// Networks made of networks. Beside each other, the weights between the two are 0; the one with fewer layers is
// followed by neurons that hand on one bit each.
#include "verify/joint_network.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace bnnplan {

namespace {

Layer handing_on(std::size_t bits) {
  Layer layer;
  for (std::size_t i = 0; i < bits; ++i) {
    Neuron neuron{std::vector<std::int8_t>(bits), 1};
    neuron.weights[i] = 1;
    layer.neurons.push_back(std::move(neuron));
  }
  return layer;
}

// The weights of one that sees `weights.size()` bits at these places among `size`.
template <class Place>
std::vector<std::int8_t> spread(const std::vector<std::int8_t>& weights, std::size_t size, Place place) {
  std::vector<std::int8_t> result(size);
  for (std::size_t i = 0; i < weights.size(); ++i) result[place(i)] = weights[i];
  return result;
}

}  // namespace

Network beside(const Network& first, const Network& second, const std::vector<std::uint32_t>& places,
               std::size_t inputs) {
  assert(is_classifier(first) && is_classifier(second) && places.size() == second.inputs.size());
  Network joint;
  joint.inputs.resize(inputs);
  joint.outputs = first.outputs;
  joint.outputs.insert(joint.outputs.end(), second.outputs.begin(), second.outputs.end());
  std::vector<Layer> one = first.layers, other = second.layers;
  // Bits that each of the two has so far, and where the second's are: after those of the first but for the inputs.
  std::size_t one_bits = first.inputs.size(), other_bits = second.inputs.size(), bits = inputs;
  bool at_inputs = true;
  const auto place = [&](std::size_t i) { return at_inputs ? places[i] : one_bits + i; };
  const auto keep = [](std::size_t i) { return i; };
  for (std::size_t l = 0; l < std::max(one.size(), other.size()); ++l) {
    if (l >= one.size()) one.push_back(handing_on(one_bits));
    if (l >= other.size()) other.push_back(handing_on(other_bits));
    Layer layer;
    for (const Neuron& neuron : one[l].neurons)
      layer.neurons.push_back({spread(neuron.weights, bits, keep), neuron.threshold});
    for (const Neuron& neuron : other[l].neurons)
      layer.neurons.push_back({spread(neuron.weights, bits, place), neuron.threshold});
    one_bits = one[l].neurons.size();
    other_bits = other[l].neurons.size();
    bits = one_bits + other_bits;
    at_inputs = false;
    joint.layers.push_back(std::move(layer));
  }
  for (const Score& score : first.scores)
    joint.scores.push_back({spread(score.weights, bits, keep), score.scale, score.bias});
  for (const Score& score : second.scores)
    joint.scores.push_back({spread(score.weights, bits, place), score.scale, score.bias});
  joint.tie = first.tie;
  return joint;
}

Network with_fixed_bit(Network network, std::size_t input, bool bit) {
  const std::int8_t agrees = bit ? 1 : -1;
  if (!network.layers.empty()) {
    for (Neuron& neuron : network.layers.front().neurons) {
      if (neuron.weights[input] == agrees) --neuron.threshold;
      neuron.weights[input] = 0;
    }
  } else {
    for (Score& score : network.scores) {
      score.bias += score.scale * static_cast<int>(score.weights[input]) * static_cast<int>(agrees);
      score.weights[input] = 0;
    }
  }
  return network;
}

Network with_scores(Network network) {
  if (is_classifier(network)) return network;
  const std::size_t bits = network.layers.back().neurons.size();
  for (std::size_t i = 0; i < bits; ++i) {
    Score score{std::vector<std::int8_t>(bits), mpq_class(1, 2), mpq_class(1, 2)};
    score.weights[i] = 1;
    network.scores.push_back(std::move(score));
  }
  return network;
}

}  // namespace bnnplan
