#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "network/batch_norm.hpp"

namespace bnnplan {

// One neuron of a folded network: 1 iff at least `threshold` of its inputs agree with their weights. An input
// bit agrees with weight +1 if it is 1, with weight -1 if it is 0; weight 0 means that it is not looked at.
// A threshold of 0 or less is the constant 1, one above the number of non-zero weights the constant 0.
struct Neuron {
  std::vector<std::int8_t> weights;  // -1, 0, +1, one per input of the layer
  std::int32_t threshold = 0;

  friend bool operator==(const Neuron&, const Neuron&) = default;
};

struct Layer {
  std::vector<Neuron> neurons;

  friend bool operator==(const Layer&, const Layer&) = default;
};

// A folded network: integers only. The inputs of layer l + 1 are the neurons of layer l, in order; the
// outputs are the neurons of the last layer.
struct Network {
  std::vector<std::string> inputs;   // names, all different
  std::vector<std::string> outputs;  // names, all different; next-state bits end in '
  std::vector<Layer> layers;         // at least one

  friend bool operator==(const Network&, const Network&) = default;
};

// A network as trained: the same weights, with batch normalisation instead of thresholds.
struct TrainedNeuron {
  std::vector<std::int8_t> weights;
  BatchNorm norm;
};

struct TrainedNetwork {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::vector<TrainedNeuron>> layers;
};

// Exact: the folded network gives the same outputs for every input. Throws std::invalid_argument for
// parameters that batch normalisation does not allow (see check_batch_norm).
Neuron fold(const TrainedNeuron& trained);
Network fold(const TrainedNetwork& trained);

// 13:36:36:9
std::string shape_text(const Network& network);

// The number of inputs a neuron looks at.
std::int32_t fan_in(const std::vector<std::int8_t>& weights);

}  // namespace bnnplan
