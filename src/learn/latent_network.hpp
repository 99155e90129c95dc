#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bnnplan/base/worker_pool.hpp"
#include "bnnplan/learn/data_set.hpp"
#include "bnnplan/learn/lane_matrix.hpp"
#include "bnnplan/learn/sum_table.hpp"
#include "bnnplan/learn/train_kernels.hpp"
#include "bnnplan/network/network.hpp"

namespace bnnplan::learning {

// A layer during training. The network computes with `signs`; the optimiser moves the latent weights behind
// them.
struct LatentLayer {
  LaneMatrix weights;             // [neuron][input], in -1 .. 1
  LaneMatrix kept;                // 1, or 0 where the weight is pruned for good, and in padding
  LaneMatrix signs;               // what the neuron computes with: -1, 0, +1
  SumTable sums;                  // the same for the forward pass
  float dead_zone = 0;            // latent weights closer to 0 count as 0
  LineVector<float> gamma, beta;  // padded with zeros to whole lines

  std::size_t neurons() const { return weights.rows(); }
  std::size_t inputs() const { return weights.columns(); }
  std::size_t lanes() const { return gamma.size(); }  // neurons including padding

  // Chunks of 64 neurons, which threads may work on concurrently, and where the values of a chunk begin in
  // the matrices.
  std::size_t chunks() const { return SumTable::chunks_of(neurons()); }
  std::size_t first_value(std::size_t chunk) const {
    return std::min(chunk * sum_chunk, neurons()) * weights.stride();
  }
};

using LatentNetwork = std::vector<LatentLayer>;

// Random weights, gamma 1, beta 0. Requires at least two widths, none 0: inputs, neurons of each layer.
LatentNetwork make_latent_network(const std::vector<std::size_t>& widths, float dead_zone,
                                  std::uint64_t seed);

// signs = sign(weights clipped to -1 .. 1), with sign(0) = +1; 0 in the dead zone and where pruned.
void binarize(LatentLayer& layer, const TrainKernels& kernels = train_kernels());
void binarize(LatentLayer& layer, std::size_t chunk, const TrainKernels& kernels);  // only these neurons

// Mean and variance of the sums of one layer.
struct LayerStatistics {
  std::vector<double> mean, variance;
};

// The statistics of every layer over these samples, with the layers below normalised by their own. If there
// are more rows than needed, a random selection represents them all. The result does not depend on the number
// of threads.
std::vector<LayerStatistics> population_statistics(const LatentNetwork& network, const DataSet& data,
                                                   const SampleSet& samples, WorkerPool& pool,
                                                   const TrainKernels& kernels = train_kernels());

// The network as trained: weights and batch normalisation, to be folded exactly.
TrainedNetwork trained_network(const LatentNetwork& network, const std::vector<LayerStatistics>& statistics,
                               const DataSet& data);

}  // namespace bnnplan::learning
