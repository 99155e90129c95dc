// Network files: what is accepted reads back the same from what we write, and packed inference computes what
// the scalar reference computes.
#include <cstdint>
#include <random>
#include <vector>

#include "fuzz_target.hpp"
#include "network/network_file.hpp"
#include "network/packed_inference.hpp"
#include "network/reference_inference.hpp"

namespace bnnplan::fuzz {

void try_input(std::string_view input) {
  const Network network = parse_network(input, "n.bnn");
  const std::string text = network_text(network);
  const Network again = parse_network(text, "again");
  require(again == network, "a network reads back the same");
  require(network_text(again) == text, "a network is written the same again");
  const std::size_t bits = network.inputs.size();
  std::size_t weights = 0;
  for (const Layer& layer : network.layers)
    for (const Neuron& neuron : layer.neurons) weights += neuron.weights.size();
  if (weights > 100'000) return;
  const PackedNetwork packed(network);
  Workspace workspace;
  std::mt19937_64 random(input.size());
  for (int sample = 0; sample < 4; ++sample) {
    BitValues values(bits);
    std::vector<std::uint64_t> words(packed.input_words()), outputs(packed.output_words());
    for (std::size_t i = 0; i < bits; ++i) {
      values[i] = random() % 2;
      words[i / 64] |= static_cast<std::uint64_t>(values[i]) << (i % 64);
    }
    const BitValues expected = evaluate_reference(network, values);
    packed.evaluate(words.data(), 1, outputs.data(), workspace);
    for (std::size_t i = 0; i < expected.size(); ++i)
      require((outputs[i / 64] >> (i % 64) & 1) == static_cast<std::uint64_t>(expected[i]),
              "packed inference is as the reference");
  }
}

}  // namespace bnnplan::fuzz
