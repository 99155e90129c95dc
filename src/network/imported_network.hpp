#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gmpxx.h>

#include "bnnplan/network/network.hpp"
#include "bnnplan/network/normalisation.hpp"

namespace bnnplan {

// A network as another tool wrote it, before folding. Readers of other tools' files (exchange/) produce it,
// and fold() turns it into a Network. All numbers are exact: a float or double of a file is the rational
// number it is.

// More inputs than this, or more neurons in a layer, are refused.
constexpr std::size_t imported_width_limit = 1 << 20;

// An input of the network. A bit enters the first layer as -1 or +1. A number enters as the bit
// `value compared with 0`, where D of `norm` is the number itself, one of low, low + step, ... up to high.
struct ImportedInput {
  std::string name;
  bool numeric = false;
  mpq_class low, high, step;  // of the number as the user supplies it; step > 0, low <= high
  Normalisation norm;
  ZeroGives at_zero = ZeroGives::one;
};

// D is the sum of weight * (+1 if the input bit is 1, -1 if it is 0).
struct ImportedNeuron {
  std::vector<std::int8_t> weights;  // -1, 0, +1, one per input of the layer
  Normalisation norm;
  ZeroGives at_zero = ZeroGives::one;  // ignored for scores
};

struct ImportedLayer {
  std::string place;  // for messages: what the file calls the layer's activation, such as "node 'Sign_12'"
  std::vector<ImportedNeuron> neurons;
};

struct ImportedNetwork {
  std::string file;                   // for messages
  std::vector<ImportedInput> inputs;  // names are distinct, at least one
  std::vector<ImportedLayer> layers;  // of neurons, each compared with 0; may be empty if there are scores
  ImportedLayer scores;              // a last layer of values that are compared with each other; may be empty
  std::vector<std::string> outputs;  // the names of the scores (classes), or of the last layer's neurons
  ClassTie tie = ClassTie::lowest;   // among the best scores
  std::vector<std::string> record;   // lines for the network's record: its origin
};

// Computes the same function of every input. Throws InputError, with `file` and the layer's `place`, if a
// value can be 0 and then gives neither 1 nor 0, and for inputs, weights or shapes that make no sense.
Network fold(const ImportedNetwork& imported);

}  // namespace bnnplan
