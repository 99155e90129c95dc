#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "learn/data_set.hpp"
#include "network/network.hpp"

namespace bnnplan {

// A layer while it is trained. The network computes with `signs`; what the optimiser moves are the latent
// weights behind them.
struct LatentLayer {
  Eigen::MatrixXf weights;  // [neuron][input], in -1 .. 1
  Eigen::MatrixXf kept;     // 1, or 0 where the weight is pruned for good
  Eigen::MatrixXf signs;    // what the neuron computes with: -1, 0, +1
  float dead_zone = 0;      // latent weights nearer to 0 are 0
  Eigen::VectorXf gamma, beta;

  std::size_t neurons() const { return static_cast<std::size_t>(weights.rows()); }
  std::size_t inputs() const { return static_cast<std::size_t>(weights.cols()); }
};

using LatentNetwork = std::vector<LatentLayer>;

// Added to the variance, in training and in what is folded.
constexpr float norm_epsilon = 1e-4f;

// Random weights, gamma 1, beta 0. Requires at least two widths, none 0: inputs, neurons of each layer.
LatentNetwork make_latent_network(const std::vector<std::size_t>& widths, float dead_zone,
                                  std::uint64_t seed);

// signs = sign(weights), with sign(0) = +1; 0 in the dead zone and where pruned.
void binarize(LatentLayer& layer);

// Mean and variance of the sums of one layer.
struct LayerStatistics {
  Eigen::VectorXd mean, variance;
};

// The statistics of every layer over these samples, the layers below it normalised by theirs. Beyond a number
// of rows that tells enough, a random choice stands for all.
std::vector<LayerStatistics> population_statistics(const LatentNetwork& network, const DataSet& data,
                                                   const SampleSet& samples);

// As trained: weights and batch normalisation, to be folded exactly.
TrainedNetwork trained_network(const LatentNetwork& network, const std::vector<LayerStatistics>& statistics,
                               const DataSet& data);

// Bits of a row as -1 and +1.
void expand_bits(const std::uint64_t* words, Eigen::Ref<Eigen::VectorXf> to);

}  // namespace bnnplan
