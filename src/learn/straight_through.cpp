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
// sign has no useful derivative. Backwards, the one of the activations is taken as that of hard tanh, 1 where
// |x| <= 1 and 0 elsewhere, and the one of the weights as 1: the latent weights get the gradient of their
// signs.
//
// A minibatch is cut into groups of fixed size, each normalised by its own mean and variance (ghost batches:
// Hoffer, Hubara and Soudry, Train longer, generalize better, 2017). So groups need nothing of each other but
// that their gradients are added up, in a fixed order: threads take whole groups, and the result is the same
// for any number of threads. Repeated samples are one column with a count, in the sums of the loss as in the
// mean and variance, which gives the gradient of the group with its repetitions written out.
#include "learn/straight_through.hpp"

namespace bnnplan {

Gradient make_gradient(const LatentNetwork& network) {
  Gradient gradient;
  for (const LatentLayer& layer : network) {
    gradient.push_back({Eigen::MatrixXf::Zero(layer.weights.rows(), layer.weights.cols()),
                        Eigen::VectorXf::Zero(layer.weights.rows()),
                        Eigen::VectorXf::Zero(layer.weights.rows())});
  }
  return gradient;
}

StraightThrough::StraightThrough(const LatentNetwork& network, const DataSet& data, const SampleSet& part)
    : network_(network), data_(data), part_(part), values_(network.size()) {}

double StraightThrough::compute(Group group, Gradient& gradient) {
  load(group);
  forward();
  const double total = loss();
  backward(gradient);
  return total;
}

void StraightThrough::load(Group group) {
  const auto samples = static_cast<Eigen::Index>(group.size());
  inputs_.resize(static_cast<Eigen::Index>(data_.input_names.size()), samples);
  targets_.resize(static_cast<Eigen::Index>(data_.output_names.size()), samples);
  counts_.resize(samples);
  for (Eigen::Index i = 0; i < samples; ++i) {
    const std::uint32_t place = group[static_cast<std::size_t>(i)];
    expand_bits(data_.input(part_.rows[place]), inputs_.col(i));
    expand_bits(data_.output(part_.rows[place]), targets_.col(i));
    counts_[i] = static_cast<float>(part_.counts[place]);
  }
  shares_ = counts_ / counts_.sum();
}

void StraightThrough::forward() {
  const Eigen::MatrixXf* below = &inputs_;
  for (std::size_t l = 0; l < network_.size(); ++l) {
    const LatentLayer& layer = network_[l];
    LayerValues& values = values_[l];
    values.normalised.noalias() = layer.signs * *below;
    const Eigen::VectorXf mean = values.normalised * shares_;
    values.normalised.colwise() -= mean;
    const Eigen::VectorXf variance = values.normalised.cwiseAbs2() * shares_;
    values.deviation = (variance.array() + norm_epsilon).sqrt();
    values.normalised.array().colwise() *= values.deviation.array().inverse();
    values.outputs =
        (values.normalised.array().colwise() * layer.gamma.array()).colwise() + layer.beta.array();
    if (l + 1 == network_.size()) break;
    values.signs = values.outputs.unaryExpr([](float x) { return x >= 0 ? 1.0f : -1.0f; });
    below = &values.signs;
  }
}

double StraightThrough::loss() {
  const Eigen::MatrixXf& outputs = values_.back().outputs;
  slope_ = (1.0f - targets_.array() * outputs.array()).cwiseMax(0.0f);
  const double total = slope_.cwiseAbs2().colwise().sum().dot(counts_.transpose());
  slope_.array() *= -2.0f * targets_.array();
  slope_.array().rowwise() *= counts_.transpose().array();
  return total;
}

void StraightThrough::backward(Gradient& gradient) {
  for (std::size_t l = network_.size(); l-- > 0;) {
    const LatentLayer& layer = network_[l];
    const LayerValues& values = values_[l];
    gradient[l].gamma = (slope_.array() * values.normalised.array()).rowwise().sum();
    gradient[l].beta = slope_.rowwise().sum();
    // Through the normalisation, in which every sample shares in mean and variance:
    // dD = gamma / deviation * (dx - share * (sum dx) - share * z * (sum dx z)).
    slope_.noalias() -= gradient[l].beta * shares_.transpose();
    slope_.array() -= (values.normalised.array().colwise() * gradient[l].gamma.array()).rowwise() *
                      shares_.transpose().array();
    slope_.array().colwise() *= layer.gamma.array() / values.deviation.array();
    const Eigen::MatrixXf& below = l == 0 ? inputs_ : values_[l - 1].signs;
    gradient[l].weights.noalias() = slope_ * below.transpose();
    if (l == 0) break;
    next_slope_.noalias() = layer.signs.transpose() * slope_;
    slope_ = (values_[l - 1].outputs.array().abs() <= 1.0f).select(next_slope_, 0.0f);
  }
}

}  // namespace bnnplan
