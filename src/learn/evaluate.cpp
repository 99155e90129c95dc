// The errors of a folded network, measured by the inference that planning uses.
#include "learn/evaluate.hpp"

#include <algorithm>
#include <bit>

#include "network/packed_inference.hpp"

namespace bnnplan {

Errors evaluate(const Network& network, const DataSet& data, const SampleSet& part) {
  constexpr std::size_t block = 256;
  // Measuring the kernels would cost more than these few samples.
  const PackedNetwork packed(network, best_kernels(), Technique::popcount);
  Workspace workspace;
  const std::size_t in = data.input_words(), out = data.output_words();
  std::vector<std::uint64_t> inputs(block * in), outputs(block * out);
  Errors errors;
  for (std::size_t first = 0; first < part.rows.size(); first += block) {
    const std::size_t count = std::min(block, part.rows.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(data.input(part.rows[first + i]), in, inputs.data() + i * in);
    }
    packed.evaluate(inputs.data(), count, outputs.data(), workspace);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t* truth = data.output(part.rows[first + i]);
      std::uint64_t wrong = 0;
      for (std::size_t word = 0; word < out; ++word) {
        wrong += static_cast<std::uint64_t>(std::popcount(outputs[i * out + word] ^ truth[word]));
      }
      const std::uint64_t samples = part.counts[first + i];
      errors.samples += samples;
      errors.wrong_transitions += wrong > 0 ? samples : 0;
      errors.wrong_bits += wrong * samples;
    }
  }
  errors.bits = errors.samples * data.output_names.size();
  return errors;
}

double density(const Network& network) {
  std::uint64_t weights = 0, present = 0;
  for (const Layer& layer : network.layers) {
    for (const Neuron& neuron : layer.neurons) {
      weights += neuron.weights.size();
      present += static_cast<std::uint64_t>(fan_in(neuron.weights));
    }
  }
  return weights == 0 ? 0 : static_cast<double>(present) / static_cast<double>(weights);
}

}  // namespace bnnplan
