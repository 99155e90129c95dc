// Gradients of a binarized network by the straight-through estimator (Hubara, Courbariaux, Soudry, El-Yaniv
// and Bengio, Binarized Neural Networks, 2016). Per layer, with W = sign(latent weights), or 0 for those in
// the dead zone:
//
//   D = W h                                             h = outputs of the layer below, -1 or +1
//   z = (D - mean) / sqrt(variance + epsilon)           batch normalisation
//   x = gamma z + beta
//   next h = sign(x)
//   loss = sum over outputs of max(0, 1 - target x)^2   squared hinge
//
// sign has no useful derivative. In the backward pass, that of the activations is taken to be that of hard
// tanh, 1 where |x| <= 1 and 0 elsewhere, and that of the weights to be 1: the latent weights get the
// gradient of their signs.
//
// A minibatch is cut into groups of fixed size, each normalised by its own mean and variance (ghost batches:
// Hoffer, Hubara and Soudry, Train longer, generalize better, 2017). So groups are independent except that
// their gradients are added up, in a fixed order: threads take whole groups, and the result is the same for
// any number of threads. Repeated samples are one column with a count, in the sums of the loss as in the mean
// and variance, which gives the gradient of the group with its repetitions written out.
//
// The loops are those of train_kernels.hpp. Memory is allocated for the largest group so far.
#include "bnnplan/learn/straight_through.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace bnnplan::learning {

namespace {

constexpr std::size_t patterns_of(std::size_t lanes) {
  return (lanes + sum_block_inputs - 1) / sum_block_inputs;
}

// The numbers -1 and +1 of each pattern.
constexpr auto pattern_numbers = [] {
  std::array<std::array<float, sum_block_inputs>, std::size_t{1} << sum_block_inputs> numbers{};
  for (std::size_t pattern = 0; pattern < numbers.size(); ++pattern) {
    for (std::size_t i = 0; i < sum_block_inputs; ++i)
      numbers[pattern][i] = ((pattern >> i) & 1u) != 0 ? 1.0f : -1.0f;
  }
  return numbers;
}();

// The bits of a row as -1 and +1. The padding of the row stays 0.
void expand_bits(const std::uint64_t* words, std::size_t bits, float* to) {
  std::size_t i = 0;
  for (; i + sum_block_inputs <= bits; i += sum_block_inputs)
    std::copy_n(pattern_numbers[(words[i / 64] >> (i % 64)) & 15u].data(), sum_block_inputs, to + i);
  for (; i < bits; ++i) to[i] = ((words[i / 64] >> (i % 64)) & 1u) != 0 ? 1.0f : -1.0f;
}

}  // namespace

Gradient make_gradient(const LatentNetwork& network) {
  Gradient gradient;
  for (const LatentLayer& layer : network) {
    gradient.push_back({LaneMatrix(layer.neurons(), layer.inputs()), LineVector<float>(layer.lanes(), 0.0f),
                        LineVector<float>(layer.lanes(), 0.0f)});
  }
  return gradient;
}

StraightThrough::StraightThrough(const LatentNetwork& network, const DataSet& data, const SampleSet& part,
                                 const TrainKernels& kernels)
    : network_(network),
      data_(data),
      part_(part),
      kernels_(kernels),
      values_(network.size()),
      slopes_(network.size()),
      losses_(network.back().lanes(), 0.0f) {}

double StraightThrough::compute(Group group, Gradient& gradient) {
  load(group);
  forward();
  return backward(gradient);
}

void StraightThrough::load(Group group) {
  samples_ = group.size();
  const std::size_t inputs = data_.input_names.size(), outputs = data_.output_names.size();
  if (inputs_.rows() < samples_) {
    inputs_.resize(samples_, inputs);
    targets_.resize(samples_, outputs);
    input_patterns_.resize(samples_ * patterns_of(inputs));
    for (std::size_t l = 0; l < network_.size(); ++l) {
      LayerValues& values = values_[l];
      values.normalised.resize(samples_, network_[l].neurons());
      values.signs.resize(samples_, network_[l].neurons());
      values.patterns.resize(samples_ * patterns_of(network_[l].lanes()));
      values.deviation.resize(network_[l].lanes());
      slopes_[l].resize(samples_, network_[l].neurons());
    }
  }
  counts_.resize(samples_);
  shares_.resize(samples_);
  float total = 0;
  for (std::size_t i = 0; i < samples_; ++i) {
    const std::uint32_t place = group[i];
    expand_bits(data_.input(part_.rows[place]), inputs, inputs_.row(i));
    patterns_of_bits(data_.input(part_.rows[place]), inputs,
                     input_patterns_.data() + i * patterns_of(inputs));
    expand_bits(data_.output(part_.rows[place]), outputs, targets_.row(i));
    counts_[i] = static_cast<float>(part_.counts[place]);
    total += counts_[i];
  }
  for (std::size_t i = 0; i < samples_; ++i) shares_[i] = counts_[i] / total;
}

NormalisedLayer StraightThrough::view(std::size_t layer) {
  LayerValues& values = values_[layer];
  return {samples_,
          network_[layer].lanes(),
          values.normalised.stride(),
          values.normalised.data(),
          shares_.data(),
          counts_.data(),
          network_[layer].gamma.data(),
          network_[layer].beta.data(),
          values.deviation.data()};
}

void StraightThrough::forward() {
  const std::uint8_t* below = input_patterns_.data();
  std::size_t stride = patterns_of(data_.input_names.size());
  for (std::size_t l = 0; l < network_.size(); ++l) {
    const LatentLayer& layer = network_[l];
    LayerValues& values = values_[l];
    kernels_.add_up(layer.sums.data(), layer.sums.blocks(), below, stride, samples_, values.normalised.data(),
                    values.normalised.stride(), layer.lanes());
    const bool last = l + 1 == network_.size();
    below = values.patterns.data();
    stride = patterns_of(layer.lanes());
    kernels_.normalise(view(l), last ? nullptr : values.signs.data(), values.signs.stride(),
                       values.patterns.data(), stride);
  }
}

double StraightThrough::backward(Gradient& gradient) {
  for (std::size_t l = network_.size(); l-- > 0;) {
    const LatentLayer& layer = network_[l];
    LaneMatrix& slope = slopes_[l];
    const bool last = l + 1 == network_.size();
    kernels_.go_back(view(l), last ? targets_.data() : nullptr, slope.data(), slope.stride(),
                     gradient[l].gamma.data(), gradient[l].beta.data(), losses_.data());
    const LaneMatrix& below = l == 0 ? inputs_ : values_[l - 1].signs;
    LaneMatrix& weights = gradient[l].weights;
    kernels_.multiply(slope.data(), 1, slope.stride(), below.data(), below.stride(), samples_, weights.data(),
                      weights.stride(), layer.neurons(), weights.lanes());
    if (l == 0) break;
    kernels_.multiply(slope.data(), slope.stride(), 1, layer.signs.data(), layer.signs.stride(),
                      layer.neurons(), slopes_[l - 1].data(), slopes_[l - 1].stride(), samples_,
                      layer.signs.lanes());
  }
  const std::size_t outputs = network_.back().neurons();
  return std::accumulate(losses_.begin(), losses_.begin() + static_cast<std::ptrdiff_t>(outputs), 0.0);
}

}  // namespace bnnplan::learning
