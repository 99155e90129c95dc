#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "learn/data_set.hpp"
#include "learn/latent_network.hpp"

namespace bnnplan {

// The derivatives of the loss, in the shape of the network.
struct LayerGradient {
  Eigen::MatrixXf weights;
  Eigen::VectorXf gamma, beta;
};
using Gradient = std::vector<LayerGradient>;

Gradient make_gradient(const LatentNetwork& network);  // zeros

// Some samples of a minibatch: places in SampleSet::rows.
using Group = std::span<const std::uint32_t>;

// What one thread needs to compute with a group.
class StraightThrough {
 public:
  // Keeps references to all three.
  StraightThrough(const LatentNetwork& network, const DataSet& data, const SampleSet& part);

  // The loss of the group (the sum over its samples, each times its count) and its gradient, which is
  // overwritten. The result depends on nothing else: not on the thread, not on earlier calls.
  double compute(Group group, Gradient& gradient);

 private:
  struct LayerValues {
    Eigen::MatrixXf normalised;  // (sums - mean) / deviation
    Eigen::MatrixXf outputs;     // gamma * normalised + beta
    Eigen::MatrixXf signs;       // of the outputs; the inputs of the next layer
    Eigen::VectorXf deviation;
  };

  void load(Group group);
  void forward();
  double loss();
  void backward(Gradient& gradient);

  const LatentNetwork& network_;
  const DataSet& data_;
  const SampleSet& part_;
  Eigen::MatrixXf inputs_, targets_;  // -1 and +1, one column per sample
  Eigen::VectorXf counts_, shares_;
  std::vector<LayerValues> values_;
  Eigen::MatrixXf slope_, next_slope_;  // d loss / d outputs of a layer
};

}  // namespace bnnplan
