#pragma once

#include "learn/straight_through.hpp"

namespace bnnplan {

// The optimiser's memory: running means of the gradient and of its square.
class Adam {
 public:
  explicit Adam(const LatentNetwork& network)
      : mean_(make_gradient(network)), square_(make_gradient(network)) {}

  // Moves the network down the gradient, clips the latent weights to -1 .. 1 and renews their signs. Pruned
  // weights stay pruned.
  void step(LatentNetwork& network, const Gradient& gradient, float rate);

 private:
  Gradient mean_, square_;
  int steps_ = 0;
};

}  // namespace bnnplan
