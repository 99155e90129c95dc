// Network files: an accepted network reads back the same from its text, and packed inference agrees with the
// scalar reference, bits and classes.
#include <cstdint>
#include <random>
#include <vector>

#include "bnnplan/network/network_file.hpp"
#include "bnnplan/network/packed_classifier.hpp"
#include "bnnplan/network/packed_inference.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "fuzz_target.hpp"

namespace bnnplan::fuzz {

namespace {

void compare_bits(const Network& network, const BitValues& values, const std::vector<std::uint64_t>& words) {
  const PackedNetwork packed(network);
  Workspace workspace;
  std::vector<std::uint64_t> outputs(packed.output_words());
  packed.evaluate(words.data(), 1, outputs.data(), workspace);
  const BitValues expected = evaluate_reference(network, values);
  for (std::size_t i = 0; i < expected.size(); ++i)
    require((outputs[i / 64] >> (i % 64) & 1) == static_cast<std::uint64_t>(expected[i]),
            "packed inference agrees with the reference");
}

void compare_classes(const Network& network, const BitValues& values,
                     const std::vector<std::uint64_t>& words) {
  const PackedClassifier packed(network);
  ClassifierWorkspace workspace;
  std::uint32_t result = 0;
  packed.classify(words.data(), 1, &result, workspace);
  require(result == reference_class(network, values), "the packed class is that of the reference");
}

}  // namespace

void try_network(std::string_view input) {
  const Network network = parse_network(input, "n.bnn");
  const std::string text = network_text(network);
  const Network again = parse_network(text, "again");
  require(again == network, "a network reads back the same");
  require(network_text(again) == text, "a network is written the same again");
  std::size_t weights = 0;
  for (const Layer& layer : network.layers)
    for (const Neuron& neuron : layer.neurons) weights += neuron.weights.size();
  for (const Score& score : network.scores) weights += score.weights.size();
  if (weights > 100'000) return;
  std::mt19937_64 random(input.size());
  for (int sample = 0; sample < 4; ++sample) {
    BitValues values(network.inputs.size());
    std::vector<std::uint64_t> words(words_of(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = random() % 2;
      words[i / 64] |= static_cast<std::uint64_t>(values[i]) << (i % 64);
    }
    if (!network.layers.empty()) compare_bits(network, values, words);
    if (is_classifier(network)) compare_classes(network, values, words);
  }
}

}  // namespace bnnplan::fuzz
