#pragma once

#include <span>
#include <vector>

#include "learn/straight_through.hpp"

namespace bnnplan {

// The optimiser's memory: running means of the gradient and of its square.
class Adam {
 public:
  explicit Adam(const LatentNetwork& network, const TrainKernels& kernels = best_train_kernels())
      : kernels_(kernels), mean_(make_gradient(network)), square_(make_gradient(network)) {}

  // Moves the network down the gradient, which is the sum of `parts` in their order, clips the latent weights to -1 .. 1 and renews
  // their signs. Pruned weights stay pruned. Requires a part.
  void step(LatentNetwork& network, std::span<const Gradient> parts, float rate);

 private:
  const TrainKernels& kernels_;
  Gradient mean_, square_;
  std::vector<const float*> pointers_;
  int steps_ = 0;
};

}  // namespace bnnplan
