// The network behind the network: latent weights, and how they become something to fold.
//
// While training, batch normalisation uses the mean and variance of the samples at hand. The finished network
// needs fixed ones. Instead of running averages, which lag behind weights that still flip, they are computed
// afresh from the training samples, layer by layer: the sums are small integers, so this is exact but for the
// last rounding.
#include "learn/latent_network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"

namespace bnnplan {

LatentNetwork make_latent_network(const std::vector<std::size_t>& widths, float dead_zone,
                                  std::uint64_t seed) {
  Random random(seed);
  LatentNetwork network;
  for (std::size_t l = 1; l < widths.size(); ++l) {
    const auto neurons = static_cast<Eigen::Index>(widths[l]),
               inputs = static_cast<Eigen::Index>(widths[l - 1]);
    LatentLayer layer;
    layer.weights = Eigen::MatrixXf::NullaryExpr(neurons, inputs, [&] { return random.symmetric(); });
    layer.kept = layer.signs = Eigen::MatrixXf::Ones(neurons, inputs);
    layer.dead_zone = dead_zone;
    layer.gamma = Eigen::VectorXf::Ones(neurons);
    layer.beta = Eigen::VectorXf::Zero(neurons);
    binarize(layer);
    network.push_back(std::move(layer));
  }
  return network;
}

void binarize(LatentLayer& layer) {
  const float zone = layer.dead_zone;
  layer.signs =
      layer.weights.unaryExpr([zone](float w) { return std::abs(w) < zone ? 0.0f
                                                       : w >= 0           ? 1.0f
                                                                          : -1.0f; })
          .cwiseProduct(layer.kept);
}

void expand_bits(const std::uint64_t* words, Eigen::Ref<Eigen::VectorXf> to) {
  for (Eigen::Index i = 0; i < to.size(); ++i) {
    to[i] = ((words[i / 64] >> (i % 64)) & 1u) != 0 ? 1.0f : -1.0f;
  }
}

std::vector<LayerStatistics> population_statistics(const LatentNetwork& network, const DataSet& data,
                                                   const SampleSet& samples) {
  constexpr std::size_t most_rows = 32768;
  const std::size_t rows = std::min(samples.rows.size(), most_rows);
  // Not evenly spaced ones: data often comes in an order that repeats itself.
  std::vector<std::uint32_t> places(samples.rows.size());
  std::iota(places.begin(), places.end(), 0);
  if (rows < places.size()) {
    Random random(0);
    shuffle(places, random);
  }
  Eigen::MatrixXf below(network.front().weights.cols(), static_cast<Eigen::Index>(rows));
  Eigen::VectorXd shares(static_cast<Eigen::Index>(rows));
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint32_t at = places[i];
    expand_bits(data.input(samples.rows[at]), below.col(static_cast<Eigen::Index>(i)));
    shares[static_cast<Eigen::Index>(i)] = samples.counts[at];
  }
  shares /= shares.sum();

  std::vector<LayerStatistics> statistics;
  for (const LatentLayer& layer : network) {
    const Eigen::MatrixXf sums = layer.signs * below;
    LayerStatistics of_layer;
    of_layer.mean = sums.cast<double>() * shares;
    of_layer.variance = (sums.cast<double>().colwise() - of_layer.mean).cwiseAbs2() * shares;
    const Eigen::ArrayXf scale =
        layer.gamma.array() / (of_layer.variance.cast<float>().array() + norm_epsilon).sqrt();
    const Eigen::ArrayXf offset = layer.beta.array() - of_layer.mean.cast<float>().array() * scale;
    below = ((sums.array().colwise() * scale).colwise() + offset >= 0.0f)
                .select(Eigen::MatrixXf::Constant(sums.rows(), sums.cols(), 1.0f), -1.0f);
    statistics.push_back(std::move(of_layer));
  }
  return statistics;
}

TrainedNetwork trained_network(const LatentNetwork& network, const std::vector<LayerStatistics>& statistics,
                               const DataSet& data) {
  TrainedNetwork trained{data.input_names, data.output_names, {}};
  for (std::size_t l = 0; l < network.size(); ++l) {
    const LatentLayer& layer = network[l];
    std::vector<TrainedNeuron> neurons(layer.neurons());
    for (std::size_t i = 0; i < neurons.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      for (Eigen::Index j = 0; j < layer.signs.cols(); ++j) {
        neurons[i].weights.push_back(static_cast<std::int8_t>(layer.signs(row, j)));
      }
      neurons[i].norm = {statistics[l].mean[row], statistics[l].variance[row],
                         static_cast<double>(norm_epsilon), static_cast<double>(layer.gamma[row]),
                         static_cast<double>(layer.beta[row])};
    }
    trained.layers.push_back(std::move(neurons));
  }
  return trained;
}

}  // namespace bnnplan
