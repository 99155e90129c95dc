#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/learn/latent_network.hpp"

namespace bnnplan::learning {

// The derivatives of the loss, in the shape of the network.
struct LayerGradient {
  LaneMatrix weights;
  LineVector<float> gamma, beta;
};
using Gradient = std::vector<LayerGradient>;

Gradient make_gradient(const LatentNetwork& network);  // zeros

// Some samples of a minibatch: indices into SampleSet::rows.
using Group = std::span<const std::uint32_t>;

// The state one thread needs to process a group.
class StraightThrough {
 public:
  // Keeps references to all arguments.
  StraightThrough(const LatentNetwork& network, const DataSet& data, const SampleSet& part,
                  const TrainKernels& kernels = train_kernels());

  // The loss of the group (the sum over its samples, each times its count) and its gradient, which is
  // overwritten. The result depends on nothing else: not on the thread, the kernels or earlier calls.
  double compute(Group group, Gradient& gradient);

 private:
  struct LayerValues {
    LaneMatrix normalised;               // [sample][neuron]: (sum - mean) / deviation
    LaneMatrix signs;                    // of gamma * normalised + beta; the inputs of the next layer
    std::vector<std::uint8_t> patterns;  // of the signs, four at a time
    LineVector<float> deviation;
  };

  void load(Group group);
  void forward();
  double backward(Gradient& gradient);
  NormalisedLayer view(std::size_t layer);

  const LatentNetwork& network_;
  const DataSet& data_;
  const SampleSet& part_;
  const TrainKernels& kernels_;
  std::size_t samples_ = 0;
  LaneMatrix inputs_, targets_;  // [sample][bit]: -1 and +1
  std::vector<std::uint8_t> input_patterns_;
  std::vector<float> counts_, shares_;
  std::vector<LayerValues> values_;
  std::vector<LaneMatrix> slopes_;  // [layer][sample][neuron]: d loss / d sums
  LineVector<float> losses_;        // of each output
};

}  // namespace bnnplan::learning
