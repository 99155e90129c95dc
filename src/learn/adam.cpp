// Adam (Kingma and Ba, 2015):
//
//   m = a m + (1 - a) g,   v = b v + (1 - b) g^2,   w -= rate m' / (sqrt(v') + epsilon)
//
// where ' divides by 1 - a^t and 1 - b^t. One change for binarized networks, as in the literature: latent
// weights are clipped to [-1, 1], since beyond that they change nothing but take longer to come back.
#include "learn/adam.hpp"

#include <cmath>

namespace bnnplan {

namespace {

constexpr float mean_decay = 0.9f, square_decay = 0.999f, epsilon = 1e-8f;

struct Rates {
  float step, square;
};

template <class Values>
void move(Values& values, Values& mean, Values& square, const Values& gradient, const Rates& rates) {
  mean.array() = mean_decay * mean.array() + (1 - mean_decay) * gradient.array();
  square.array() = square_decay * square.array() + (1 - square_decay) * gradient.array().square();
  values.array() -= rates.step * mean.array() / ((square.array() * rates.square).sqrt() + epsilon);
}

}  // namespace

void Adam::step(LatentNetwork& network, const Gradient& gradient, float rate) {
  ++steps_;
  const Rates rates{rate / (1 - std::pow(mean_decay, static_cast<float>(steps_))),
                    1 / (1 - std::pow(square_decay, static_cast<float>(steps_)))};
  for (std::size_t l = 0; l < network.size(); ++l) {
    LatentLayer& layer = network[l];
    move(layer.weights, mean_[l].weights, square_[l].weights, gradient[l].weights, rates);
    move(layer.gamma, mean_[l].gamma, square_[l].gamma, gradient[l].gamma, rates);
    move(layer.beta, mean_[l].beta, square_[l].beta, gradient[l].beta, rates);
    layer.weights = layer.weights.cwiseMax(-1.0f).cwiseMin(1.0f);
    binarize(layer);
  }
}

}  // namespace bnnplan
