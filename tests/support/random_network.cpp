#include "support/random_network.hpp"

#include <fmt/format.h>

namespace bnnplan::testing {

namespace {

mpq_class quarters(bnnplan::Random& random, std::size_t most) {
  mpq_class number(static_cast<long>(random.below(2 * most + 1)) - static_cast<long>(most), 4L);
  number.canonicalize();
  return number;
}

NumericInput random_number(bnnplan::Random& random) {
  NumericInput number;
  number.low = quarters(random, 8);
  number.step = mpq_class(1 + random.below(3), random.below(2) == 0 ? 1 : 255);
  number.step.canonicalize();
  number.high = number.low + number.step * (2 + random.below(20));  // a bit would be one
  number.threshold = number.low + (quarters(random, 80) + 10) * number.step;
  return number;
}

}  // namespace

RandomNetworkShape random_shape(bnnplan::Random& random, std::size_t most) {
  RandomNetworkShape shape;
  shape.numbers = random.below(2) == 0;
  shape.scores = random.below(2) == 0;
  const std::size_t layers = 1 + random.below(3);
  for (std::size_t i = 0; i <= layers; ++i) shape.widths.push_back(1 + random.below(most));
  return shape;
}

std::vector<std::int8_t> random_weights(bnnplan::Random& random, std::size_t count) {
  const std::size_t zeros = random.below(4);
  std::vector<std::int8_t> weights(count);
  for (std::int8_t& weight : weights) {
    const int sign = random.below(2) == 0 ? -1 : +1;
    weight = static_cast<std::int8_t>(random.below(8) < zeros ? 0 : sign);
  }
  return weights;
}

BitValues random_bits(bnnplan::Random& random, std::size_t count) {
  BitValues bits(count);
  for (BitValue& bit : bits) bit = static_cast<BitValue>(random.below(2));
  return bits;
}

Network random_network(bnnplan::Random& random, const RandomNetworkShape& shape) {
  Network network;
  const auto& widths = shape.widths;
  for (std::size_t i = 0; i < widths.front(); ++i) network.inputs.push_back(fmt::format("in {}", i));
  for (std::size_t i = 0; i < widths.back(); ++i) network.outputs.push_back(fmt::format("out{}'", i));
  if (shape.numbers) {
    network.numbers.resize(widths.front());
    network.numbers[random.below(widths.front())] = random_number(random);
    for (auto& number : network.numbers) {
      if (random.below(2) == 0) number = random_number(random);
    }
  }
  for (std::size_t l = 1; l + (shape.scores ? 1 : 0) < widths.size(); ++l) {
    Layer& layer = network.layers.emplace_back();
    for (std::size_t n = 0; n < widths[l]; ++n) {
      const std::vector<std::int8_t> weights = random_weights(random, widths[l - 1]);
      const auto span = static_cast<std::size_t>(fan_in(weights)) + 4;
      const bool middle = random.below(4) != 0;  // most should not be constant
      const std::size_t at = middle ? span / 3 + random.below(span / 3 + 1) : random.below(span);
      layer.neurons.push_back({weights, static_cast<std::int32_t>(at) - 1});
    }
  }
  if (!shape.scores) return network;
  network.tie = random.below(2) == 0 ? ClassTie::lowest : ClassTie::highest;
  const bool same_scale = random.below(2) == 0, long_digits = random.below(3) == 0;
  for (std::size_t c = 0; c < widths.back(); ++c) {
    Score& score = network.scores.emplace_back();
    score.weights = random_weights(random, widths[widths.size() - 2]);
    if (!same_scale && c > 0) score.scale = mpq_class(1 + random.below(6), 3);
    score.scale.canonicalize();
    score.bias = long_digits ? mpq_class(random.symmetric()) / 3 : quarters(random, 4);
  }
  return network;
}

}  // namespace bnnplan::testing
