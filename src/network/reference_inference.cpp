// Scalar inference, neuron by neuron and weight by weight: output <-> (agreeing inputs) >= threshold, and
// above the last layer of a classifier score = scale * (agreeing - disagreeing inputs) + bias.
#include "bnnplan/network/reference_inference.hpp"

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

BitValues binarize(const Network& network, std::span<const mpq_class> numbers) {
  assert(numbers.size() == network.inputs.size());
  BitValues bits;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool numeric = has_numbers(network) && network.numbers[i].has_value();
    bits.push_back(numeric ? numbers[i] >= network.numbers[i]->threshold : numbers[i] != 0);
  }
  return bits;
}

std::vector<mpq_class> reference_scores(const Network& network, std::span<const BitValue> inputs) {
  const BitValues bits = evaluate_reference(network, inputs);
  std::vector<mpq_class> scores;
  for (const Score& score : network.scores) {
    assert(score.weights.size() == bits.size());
    int sum = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) sum += bits[i] != 0 ? score.weights[i] : -score.weights[i];
    scores.emplace_back(score.scale * sum + score.bias);
  }
  return scores;
}

std::size_t best_class(std::span<const mpq_class> scores, ClassTie tie) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < scores.size(); ++c) {
    if (scores[c] > scores[best] || (scores[c] == scores[best] && tie == ClassTie::highest)) best = c;
  }
  return best;
}

std::size_t reference_class(const Network& network, std::span<const BitValue> inputs) {
  return best_class(reference_scores(network, inputs), network.tie);
}

}  // namespace bnnplan
