// Classification by bit-packed inference. The layers of neurons are PackedNetwork's; above them the popcount
// kernels count how many inputs of each score disagree with its weights, which is all that is needed.
//
// Scores are rational numbers, yet their exact comparison takes only 64-bit integers: a score of n inputs has
// n + 1 values, and a table has a key for each of them, in the order of the scores (score_order.hpp). 10
// classes over 1,000 neurons take 80 KB.
#include "bnnplan/network/packed_classifier.hpp"

#include <algorithm>
#include <cassert>

#include "bnnplan/network/score_order.hpp"

namespace bnnplan {

namespace {

// Samples that go through the network together, so that the bits between the layers stay in the cache.
constexpr std::size_t kClassTile = 256;

Layer layer_of(const std::vector<Score>& scores) {
  Layer layer;
  for (const Score& score : scores) layer.neurons.push_back({score.weights, 1});  // thresholds are ignored
  return layer;
}

// The layers without the scores.
std::optional<PackedNetwork> hidden_layers(const Network& network, const Kernels& kernels,
                                           Technique technique) {
  if (network.layers.empty()) return std::nullopt;
  return PackedNetwork(network, kernels, technique);
}

}  // namespace

PackedClassifier::PackedClassifier(const Network& network, const Kernels& kernels, Technique technique)
    : kernels_(&kernels),
      inputs_(network.inputs.size()),
      layers_(hidden_layers(network, kernels, technique)),
      scores_(layer_of(network.scores), last_bits(network)),
      highest_(network.tie == ClassTie::highest) {
  assert(is_classifier(network));
  for (const auto& keys : score_keys(network)) {
    keys_.insert(keys_.end(), keys.begin(), keys.end());
    last_key_.push_back(keys_.size() - 1);
    fan_in_.push_back(static_cast<std::int32_t>(keys.size()) - 1);
  }
}

void PackedClassifier::count_disagreeing(const std::uint64_t* inputs, std::size_t count, std::int32_t* counts,
                                         ClassifierWorkspace& workspace) const {
  const std::size_t words = layers_ ? layers_->output_words() : input_words();
  if (workspace.bits_.size() < count * words) workspace.bits_.resize(count * words);
  std::uint64_t* bits = workspace.bits_.data();
  if (layers_) {
    layers_->evaluate(inputs, count, bits, workspace.layers_);
  } else {
    // Popcounts would count the bits above the inputs.
    const std::uint64_t used = ~std::uint64_t{0} >> (64 * words - inputs_);
    std::copy_n(inputs, count * words, bits);
    for (std::size_t sample = 0; sample < count; ++sample) bits[sample * words + words - 1] &= used;
  }
  kernels_->popcount_counts(scores_.view(), bits, count, counts);
}

void PackedClassifier::classify(const std::uint64_t* inputs, std::size_t count, std::uint32_t* classes,
                                ClassifierWorkspace& workspace) const {
  const std::size_t width = last_key_.size();
  if (workspace.counts_.size() < std::min(count, kClassTile) * width)
    workspace.counts_.resize(std::min(count, kClassTile) * width);
  for (std::size_t first = 0; first < count; first += kClassTile) {
    const std::size_t samples = std::min(kClassTile, count - first);
    count_disagreeing(inputs + first * input_words(), samples, workspace.counts_.data(), workspace);
    for (std::size_t sample = 0; sample < samples; ++sample) {
      const std::int32_t* counts = workspace.counts_.data() + sample * width;
      const auto key = [&](std::size_t c) {
        return keys_[last_key_[c] - static_cast<std::size_t>(counts[c])];
      };
      std::size_t best = 0;
      for (std::size_t c = 1; c < width; ++c) {
        if (highest_ ? key(c) >= key(best) : key(c) > key(best)) best = c;
      }
      classes[first + sample] = static_cast<std::uint32_t>(best);
    }
  }
}

void PackedClassifier::count_agreeing(const std::uint64_t* inputs, std::size_t count, std::int32_t* agreeing,
                                      ClassifierWorkspace& workspace) const {
  for (std::size_t first = 0; first < count; first += kClassTile) {
    const std::size_t samples = std::min(kClassTile, count - first);
    std::int32_t* counts = agreeing + first * classes();
    count_disagreeing(inputs + first * input_words(), samples, counts, workspace);
    for (std::size_t sample = 0; sample < samples; ++sample) {
      for (std::size_t c = 0; c < classes(); ++c, ++counts) *counts = fan_in_[c] - *counts;
    }
  }
}

}  // namespace bnnplan
