// The errors of a folded network, measured by the inference that planning uses.
#include "bnnplan/learn/evaluate.hpp"

#include <algorithm>
#include <bit>

#include "bnnplan/base/bit_count.hpp"
#include "bnnplan/network/packed_inference.hpp"

namespace bnnplan::learning {

void for_each_answer(const Network& network, const DataSet& data, const SampleSet& part,
                     const std::function<void(std::size_t, const std::uint64_t*)>& visit) {
  constexpr std::size_t block = 256;
  // Building tables would cost more than these few samples.
  const PackedNetwork packed(network, packed_kernels(), Technique::popcount);
  Workspace workspace;
  const std::size_t in = data.input_words(), out = data.output_words();
  std::vector<std::uint64_t> inputs(block * in), outputs(block * out);
  for (std::size_t first = 0; first < part.rows.size(); first += block) {
    const std::size_t count = std::min(block, part.rows.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(data.input(part.rows[first + i]), in, inputs.data() + i * in);
    }
    packed.evaluate(inputs.data(), count, outputs.data(), workspace);
    for (std::size_t i = 0; i < count; ++i) visit(first + i, outputs.data() + i * out);
  }
}

Errors evaluate(const Network& network, const DataSet& data, const SampleSet& part) {
  const std::size_t out = data.output_words();
  Errors errors;
  for_each_answer(network, data, part, [&](std::size_t i, const std::uint64_t* outputs) {
    const std::uint64_t* truth = data.output(part.rows[i]);
    std::uint64_t wrong = 0;
    for (std::size_t word = 0; word < out; ++word)
      wrong += static_cast<std::uint64_t>(count_ones(outputs[word] ^ truth[word]));
    const std::uint64_t samples = part.counts[i];
    errors.samples += samples;
    errors.wrong_transitions += wrong > 0 ? samples : 0;
    errors.wrong_bits += wrong * samples;
  });
  errors.bits = errors.samples * data.output_names.size();
  return errors;
}

std::vector<std::uint64_t> wrong_by_output(const Network& network, const DataSet& data,
                                           const SampleSet& part) {
  std::vector<std::uint64_t> wrong(data.output_names.size());
  for_each_answer(network, data, part, [&](std::size_t i, const std::uint64_t* outputs) {
    const std::uint64_t* truth = data.output(part.rows[i]);
    for (std::size_t word = 0; word < data.output_words(); ++word) {
      for (std::uint64_t rest = outputs[word] ^ truth[word]; rest != 0; rest &= rest - 1)
        wrong[64 * word + static_cast<std::size_t>(std::countr_zero(rest))] += part.counts[i];
    }
  });
  return wrong;
}

std::uint64_t weight_count(const Network& network) {
  std::uint64_t present = 0;
  for (const Layer& layer : network.layers) {
    for (const Neuron& neuron : layer.neurons) present += static_cast<std::uint64_t>(fan_in(neuron.weights));
  }
  return present;
}

double density(const Network& network) {
  std::uint64_t weights = 0;
  for (const Layer& layer : network.layers) {
    for (const Neuron& neuron : layer.neurons) weights += neuron.weights.size();
  }
  return weights == 0 ? 0 : static_cast<double>(weight_count(network)) / static_cast<double>(weights);
}

}  // namespace bnnplan::learning
