#pragma once

#include <span>
#include <utility>
#include <vector>

#include "bnnplan/learn/straight_through.hpp"

namespace bnnplan::learning {

// The optimiser's state: running means of the gradient and of its square.
class Adam {
 public:
  explicit Adam(const LatentNetwork& network, const TrainKernels& kernels = train_kernels());

  // Moves the network down the gradient, which is the sum of `parts` in their order, clips the latent weights
  // to -1 .. 1 and updates their signs. Pruned weights stay pruned. Requires at least one part. The result
  // does not depend on the number of threads.
  void step(LatentNetwork& network, std::span<const Gradient> parts, float rate, WorkerPool& pool);

 private:
  const TrainKernels& kernels_;
  Gradient mean_, square_;
  std::vector<std::pair<std::size_t, std::size_t>> chunks_;  // of all layers: layer, chunk of 64 neurons
  int steps_ = 0;
};

}  // namespace bnnplan::learning
