// Adam (Kingma and Ba, 2015):
//
//   m = a m + (1 - a) g,   v = b v + (1 - b) g^2,   w -= rate m' / (sqrt(v') + epsilon)
//
// where ' divides by 1 - a^t and 1 - b^t. One change for binarized networks, as in the literature: latent
// weights are clipped to [-1, 1], since beyond that they change nothing but take longer to come back.
#include "learn/adam.hpp"

#include <cmath>

namespace bnnplan {

void Adam::step(LatentNetwork& network, std::span<const Gradient> parts, float rate) {
  ++steps_;
  const AdamRates rates{rate / (1 - std::pow(adam_mean_decay, static_cast<float>(steps_))),
                        1 / (1 - std::pow(adam_square_decay, static_cast<float>(steps_)))};
  const auto move = [&](std::size_t size, float* values, float* mean, float* square, const auto& of_part) {
    pointers_.clear();
    for (const Gradient& part : parts) pointers_.push_back(of_part(part));
    kernels_.step(size, values, mean, square, pointers_.data(), pointers_.size(), rates);
  };
  for (std::size_t l = 0; l < network.size(); ++l) {
    LatentLayer& layer = network[l];
    move(layer.weights.size(), layer.weights.data(), mean_[l].weights.data(), square_[l].weights.data(),
         [l](const Gradient& part) { return part[l].weights.data(); });
    move(layer.gamma.size(), layer.gamma.data(), mean_[l].gamma.data(), square_[l].gamma.data(),
         [l](const Gradient& part) { return part[l].gamma.data(); });
    move(layer.beta.size(), layer.beta.data(), mean_[l].beta.data(), square_[l].beta.data(),
         [l](const Gradient& part) { return part[l].beta.data(); });
    binarize(layer, kernels_);
  }
}

}  // namespace bnnplan
