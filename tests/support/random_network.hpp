#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bnnplan/base/bit_value.hpp"
#include "bnnplan/base/random.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan::testing {

struct RandomNetworkShape {
  std::vector<std::size_t> widths;  // inputs, neurons of each layer, and of a classifier its classes
  bool numbers = false;             // about half of the inputs are numbers
  bool scores = false;
};

// Widths from 1 to `most`, up to three layers, with and without numbers and scores.
RandomNetworkShape random_shape(bnnplan::Random& random, std::size_t most);

// Weights with and without zeros, thresholds from below 0 to above the fan-in, so that some neurons are
// constant; scales and biases of which many are equal, so that classes tie, and some are doubles with all
// their digits.
Network random_network(bnnplan::Random& random, const RandomNetworkShape& shape);

std::vector<std::int8_t> random_weights(bnnplan::Random& random, std::size_t count);
BitValues random_bits(bnnplan::Random& random, std::size_t count);

}  // namespace bnnplan::testing
