// Folding a trained network: batch normalisation becomes a threshold, and a neuron with negative gamma, which
// fires when few inputs agree, becomes one with all weights negated, so that there is one canonical neuron.
#include "bnnplan/network/network.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace bnnplan {

std::int32_t fan_in(const std::vector<std::int8_t>& weights) {
  return static_cast<std::int32_t>(
      std::count_if(weights.begin(), weights.end(), [](int w) { return w != 0; }));
}

std::size_t last_bits(const Network& network) {
  return network.layers.empty() ? network.inputs.size() : network.layers.back().neurons.size();
}

Neuron fold(const TrainedNeuron& trained) {
  if (const char* fault = batch_norm_fault(trained.norm)) throw std::invalid_argument(fault);
  const FoldedThreshold folded = fold(trained.norm, fan_in(trained.weights));
  Neuron neuron{trained.weights, folded.threshold};
  if (folded.negated) {
    for (std::int8_t& weight : neuron.weights) weight = static_cast<std::int8_t>(-weight);
  }
  return neuron;
}

Network fold(const TrainedNetwork& trained) {
  Network network{trained.inputs, trained.outputs, {}};
  for (const auto& layer : trained.layers) {
    Layer& folded = network.layers.emplace_back();
    for (const TrainedNeuron& neuron : layer) folded.neurons.push_back(fold(neuron));
  }
  return network;
}

std::string shape_text(const Network& network) {
  std::string text = fmt::format("{}", network.inputs.size());
  for (const Layer& layer : network.layers) text += fmt::format(":{}", layer.neurons.size());
  if (is_classifier(network)) text += fmt::format(":{}", network.scores.size());
  return text;
}

}  // namespace bnnplan
