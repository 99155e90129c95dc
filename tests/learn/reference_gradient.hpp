#pragma once

#include <vector>

#include "bnnplan/learn/straight_through.hpp"

namespace bnnplan::testing {

// The network with weights that may be any number, so that they can be moved a little.
struct ReferenceLayer {
  std::vector<std::vector<double>> weights;  // [neuron][input]
  std::vector<double> gamma, beta;
};
using ReferenceNetwork = std::vector<ReferenceLayer>;

ReferenceNetwork reference_network(const learning::LatentNetwork& network);

// What StraightThrough::compute gives, in plain loops and doubles: the loss, and its gradient in the shape of
// the network.
double reference_gradient(const ReferenceNetwork& network, const learning::DataSet& data,
                          const learning::SampleSet& part, learning::Group group, ReferenceNetwork& gradient);

}  // namespace bnnplan::testing
