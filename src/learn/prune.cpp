// Pruning by magnitude during training (Han, Pool, Tran and Dally, 2015, for real weights). A latent weight
// that stays near 0 is one whose sign the data does not determine: without it the neuron has one input less,
// which is one literal less in every constraint of a planner. Training continues after each small cut until
// the network is as good as before; see train.cpp for when it cuts.
#include "bnnplan/learn/prune.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bnnplan::learning {

namespace {

struct Candidate {
  float magnitude;
  std::uint32_t layer, neuron, input;
};

}  // namespace

std::size_t prune(LatentNetwork& network, double share) {
  std::vector<Candidate> candidates;
  std::vector<std::vector<std::uint32_t>> left(network.size());  // [layer][neuron]
  for (std::uint32_t l = 0; l < network.size(); ++l) {
    const LatentLayer& layer = network[l];
    left[l].resize(layer.neurons());
    for (std::uint32_t neuron = 0; neuron < layer.neurons(); ++neuron) {
      for (std::uint32_t input = 0; input < layer.inputs(); ++input) {
        if (layer.signs(neuron, input) == 0) continue;
        ++left[l][neuron];
        candidates.push_back({std::abs(layer.weights(neuron, input)), l, neuron, input});
      }
    }
  }
  const auto wanted = static_cast<std::size_t>(share * static_cast<double>(candidates.size()));
  // Ties are in a fixed order: the sort is stable.
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.magnitude < b.magnitude; });
  std::size_t pruned = 0;
  for (const Candidate& candidate : candidates) {
    if (pruned == wanted) break;
    if (left[candidate.layer][candidate.neuron] == 1) continue;
    --left[candidate.layer][candidate.neuron];
    LatentLayer& layer = network[candidate.layer];
    layer.kept(candidate.neuron, candidate.input) = 0;
    ++pruned;
  }
  for (LatentLayer& layer : network) binarize(layer);
  return pruned;
}

}  // namespace bnnplan::learning
