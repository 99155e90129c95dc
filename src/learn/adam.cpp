// Adam (Kingma and Ba, 2015):
//
//   m = a m + (1 - a) g,   v = b v + (1 - b) g^2,   w -= rate m' / (sqrt(v') + epsilon)
//
// where ' divides by 1 - a^t and 1 - b^t. One change for binarized networks, as in the literature: latent
// weights are clipped to [-1, 1], since beyond that they change nothing but take longer to come back.
#include "bnnplan/learn/adam.hpp"

#include <algorithm>
#include <cmath>

namespace bnnplan::learning {

Adam::Adam(const LatentNetwork& network, const TrainKernels& kernels)
    : kernels_(kernels), mean_(make_gradient(network)), square_(make_gradient(network)) {
  for (std::size_t l = 0; l < network.size(); ++l) {
    for (std::size_t chunk = 0; chunk < network[l].chunks(); ++chunk) chunks_.emplace_back(l, chunk);
  }
}

void Adam::step(LatentNetwork& network, std::span<const Gradient> parts, float rate, WorkerPool& pool) {
  ++steps_;
  const AdamRates rates{rate / (1 - std::pow(adam_mean_decay, static_cast<float>(steps_))),
                        1 / (1 - std::pow(adam_square_decay, static_cast<float>(steps_)))};
  pool.run(chunks_.size(), [&](unsigned, std::size_t item) {
    const std::size_t l = chunks_[item].first, chunk = chunks_[item].second;
    LatentLayer& layer = network[l];
    std::vector<const float*> gradients(parts.size());
    const auto move = [&](std::size_t first, std::size_t end, float* values, float* mean, float* square,
                          const auto& of_layer) {
      for (std::size_t part = 0; part < parts.size(); ++part)
        gradients[part] = of_layer(parts[part][l]) + first;
      kernels_.step(end - first, values + first, mean + first, square + first, gradients.data(),
                    gradients.size(), rates);
    };
    move(layer.first_value(chunk), layer.first_value(chunk + 1), layer.weights.data(),
         mean_[l].weights.data(), square_[l].weights.data(),
         [](const LayerGradient& gradient) { return gradient.weights.data(); });
    binarize(layer, chunk, kernels_);
    const std::size_t first = chunk * sum_chunk, end = std::min(first + sum_chunk, layer.lanes());
    move(first, end, layer.gamma.data(), mean_[l].gamma.data(), square_[l].gamma.data(),
         [](const LayerGradient& gradient) { return gradient.gamma.data(); });
    move(first, end, layer.beta.data(), mean_[l].beta.data(), square_[l].beta.data(),
         [](const LayerGradient& gradient) { return gradient.beta.data(); });
  });
}

}  // namespace bnnplan::learning
