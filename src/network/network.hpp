#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/network/batch_norm.hpp"

namespace bnnplan {

// One neuron of a folded network: 1 iff at least `threshold` of its inputs agree with their weights. An input
// bit agrees with weight +1 if it is 1, with weight -1 if it is 0; an input of weight 0 is ignored. A
// threshold of 0 or less means constant 1, one above the number of non-zero weights constant 0.
struct Neuron {
  std::vector<std::int8_t> weights;  // -1, 0, +1, one per input of the layer
  std::int32_t threshold = 0;

  friend bool operator==(const Neuron&, const Neuron&) = default;
};

struct Layer {
  std::vector<Neuron> neurons;

  friend bool operator==(const Layer&, const Layer&) = default;
};

// A number that enters the first layer as the bit  x >= threshold; x is one of low, low + step, ..., high.
struct NumericInput {
  mpq_class threshold, low, high, step;  // step > 0, low <= high

  friend bool operator==(const NumericInput&, const NumericInput&) = default;
};

// A class of a classifier: its score is  scale * (agreeing - disagreeing inputs) + bias.
struct Score {
  std::vector<std::int8_t> weights;  // -1, 0, +1, one per neuron of the last layer
  mpq_class scale = 1;
  mpq_class bias = 0;

  friend bool operator==(const Score&, const Score&) = default;
};

// Which of several classes with the best score wins.
enum class ClassTie { lowest, highest };

// A folded network. The inputs of layer l + 1 are the neurons of layer l, in order. The outputs are the
// neurons of the last layer or, for a classifier, the scores above it, of which the highest is the answer.
struct Network {
  std::vector<std::string> inputs;  // names, distinct
  // Names, distinct; next-state bits end in '. For a classifier, the classes.
  std::vector<std::string> outputs;
  std::vector<Layer> layers;  // at least one, or scores

  std::vector<std::optional<NumericInput>> numbers =
      {};                          // one per input, empty for bits; empty if all are bits
  std::vector<Score> scores = {};  // empty unless it is a classifier
  ClassTie tie = ClassTie::lowest;
  bool rounded = false;  // a square root remained in the scores: their scales are the nearest doubles

  std::vector<std::string> record = {};  // lines about its origin; not part of what it computes

  friend bool operator==(const Network&, const Network&) = default;
};

inline bool is_classifier(const Network& network) { return !network.scores.empty(); }
inline bool has_numbers(const Network& network) { return !network.numbers.empty(); }

// The number of bits that the last layer of neurons outputs: its neurons, or the inputs if there is no layer.
std::size_t last_bits(const Network& network);

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

// Exact: the folded network gives the same outputs for every input. Throws std::invalid_argument for invalid
// batch normalisation parameters (see batch_norm_fault).
Neuron fold(const TrainedNeuron& trained);
Network fold(const TrainedNetwork& trained);

// 13:36:36:9; the classes of a classifier come last
std::string shape_text(const Network& network);

// The number of non-zero weights.
std::int32_t fan_in(const std::vector<std::int8_t>& weights);

}  // namespace bnnplan
