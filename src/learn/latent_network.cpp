// The network behind the network: latent weights, and how they become a network that can be folded.
//
// During training, batch normalisation uses the mean and variance of the current samples. The finished
// network needs fixed ones. Instead of running averages, which lag behind weights that still flip, they are
// computed afresh from the training samples, layer by layer:
//
//   mean = S / N,   variance = (N Q - S^2) / N^2      N = sum of counts, S of count * sum, Q of count * sum^2
//
// The sums are small integers, so N, S and Q are exact in any order, as long as they are below 2^53; parts of
// 512 rows are added in order, so that beyond that the result still does not depend on threads. Each layer
// takes two passes: one for its statistics, and one for its signs, which need them.
#include "bnnplan/learn/latent_network.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bnnplan/base/random.hpp"

namespace bnnplan::learning {

namespace {

constexpr std::size_t part_rows = 512;

// Rows of a data set passing through the layers, as patterns of the values of the current layer.
class Population {
 public:
  Population(const DataSet& data, const SampleSet& samples) {
    constexpr std::size_t most_rows = 32768;
    const std::size_t rows = std::min(samples.rows.size(), most_rows);
    // Not evenly spaced ones: data often comes in a repetitive order.
    std::vector<std::uint32_t> places(samples.rows.size());
    std::iota(places.begin(), places.end(), 0);
    if (rows < places.size()) {
      Random random(0);
      shuffle(places, random);
    }
    const std::size_t bits = data.input_names.size();
    blocks_ = (bits + sum_block_inputs - 1) / sum_block_inputs;
    patterns_.resize(rows * blocks_);
    counts_.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      patterns_of_bits(data.input(samples.rows[places[i]]), bits, patterns_.data() + i * blocks_);
      counts_[i] = static_cast<float>(samples.counts[places[i]]);
      total_ += static_cast<double>(counts_[i]);
    }
  }

  LayerStatistics statistics(const LatentLayer& layer, WorkerPool& pool, const TrainKernels& kernels) const {
    const std::size_t lanes = layer.lanes();
    std::vector<std::vector<double>> of_part(parts());
    pool.run(parts(), [&](unsigned, std::size_t part) {
      LaneMatrix sums;
      of_part[part].assign(2 * lanes, 0.0);
      add_up(layer, part, kernels, sums);
      kernels.moments(sums.data(), sums.stride(), counts_.data() + part * part_rows, rows_of(part), lanes,
                      of_part[part].data(), of_part[part].data() + lanes);
    });
    LayerStatistics result;
    for (std::size_t i = 0; i < layer.neurons(); ++i) {
      double sum = 0, squares = 0;
      for (const std::vector<double>& part : of_part) {
        sum += part[i];
        squares += part[lanes + i];
      }
      const double mean = sum / total_;
      result.mean.push_back(mean);
      result.variance.push_back(std::max(0.0, (squares - sum * mean) / total_));
    }
    return result;
  }

  // Moves one layer up.
  void rise(const LatentLayer& layer, const LayerStatistics& statistics, WorkerPool& pool,
            const TrainKernels& kernels) {
    const std::size_t neurons = layer.neurons();
    std::vector<float> scale(layer.lanes(), 0.0f), offset(layer.lanes(), 0.0f);
    for (std::size_t i = 0; i < neurons; ++i) {
      scale[i] = layer.gamma[i] / std::sqrt(static_cast<float>(statistics.variance[i]) + norm_epsilon);
      offset[i] = layer.beta[i] - static_cast<float>(statistics.mean[i]) * scale[i];
    }
    const std::size_t blocks = layer.lanes() / sum_block_inputs;
    std::vector<std::uint8_t> above(counts_.size() * blocks);
    pool.run(parts(), [&](unsigned, std::size_t part) {
      LaneMatrix sums;
      add_up(layer, part, kernels, sums);
      kernels.take_signs(sums.data(), sums.stride(), rows_of(part), layer.lanes(), scale.data(),
                         offset.data(), above.data() + part * part_rows * blocks, blocks);
    });
    patterns_ = std::move(above);
    blocks_ = blocks;
  }

 private:
  std::size_t parts() const { return (counts_.size() + part_rows - 1) / part_rows; }
  std::size_t rows_of(std::size_t part) const {
    return std::min(part_rows, counts_.size() - part * part_rows);
  }

  void add_up(const LatentLayer& layer, std::size_t part, const TrainKernels& kernels,
              LaneMatrix& sums) const {
    sums.resize(rows_of(part), layer.neurons());
    kernels.add_up(layer.sums.data(), layer.sums.blocks(), patterns_.data() + part * part_rows * blocks_,
                   blocks_, rows_of(part), sums.data(), sums.stride(), layer.lanes());
  }

  std::vector<std::uint8_t> patterns_;  // [row][block]
  std::size_t blocks_ = 0;
  std::vector<float> counts_;
  double total_ = 0;
};

}  // namespace

LatentNetwork make_latent_network(const std::vector<std::size_t>& widths, float dead_zone,
                                  std::uint64_t seed) {
  Random random(seed);
  LatentNetwork network;
  for (std::size_t l = 1; l < widths.size(); ++l) {
    const std::size_t neurons = widths[l], inputs = widths[l - 1];
    LatentLayer layer;
    for (LaneMatrix* matrix : {&layer.weights, &layer.kept, &layer.signs}) matrix->resize(neurons, inputs);
    for (std::size_t i = 0; i < neurons; ++i) {
      for (std::size_t j = 0; j < inputs; ++j) {
        layer.weights(i, j) = random.symmetric();
        layer.kept(i, j) = 1;
      }
    }
    layer.sums.resize(neurons, inputs);
    layer.dead_zone = dead_zone;
    layer.gamma.assign(whole_lines(neurons), 0.0f);
    std::fill_n(layer.gamma.begin(), neurons, 1.0f);
    layer.beta.assign(whole_lines(neurons), 0.0f);
    binarize(layer);
    network.push_back(std::move(layer));
  }
  return network;
}

void binarize(LatentLayer& layer, const TrainKernels& kernels) {
  for (std::size_t chunk = 0; chunk < layer.chunks(); ++chunk) binarize(layer, chunk, kernels);
}

void binarize(LatentLayer& layer, std::size_t chunk, const TrainKernels& kernels) {
  const std::size_t first = layer.first_value(chunk);
  kernels.clip(layer.first_value(chunk + 1) - first, layer.weights.data() + first, layer.kept.data() + first,
               layer.dead_zone, layer.signs.data() + first);
  layer.sums.fill(layer.signs, chunk);
}

std::vector<LayerStatistics> population_statistics(const LatentNetwork& network, const DataSet& data,
                                                   const SampleSet& samples, WorkerPool& pool,
                                                   const TrainKernels& kernels) {
  Population population(data, samples);
  std::vector<LayerStatistics> statistics;
  for (std::size_t l = 0; l < network.size(); ++l) {
    statistics.push_back(population.statistics(network[l], pool, kernels));
    if (l + 1 < network.size()) population.rise(network[l], statistics.back(), pool, kernels);
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
      for (std::size_t j = 0; j < layer.inputs(); ++j)
        neurons[i].weights.push_back(static_cast<std::int8_t>(layer.signs(i, j)));
      neurons[i].norm = {statistics[l].mean[i], statistics[l].variance[i], static_cast<double>(norm_epsilon),
                         static_cast<double>(layer.gamma[i]), static_cast<double>(layer.beta[i])};
    }
    trained.layers.push_back(std::move(neurons));
  }
  return trained;
}

}  // namespace bnnplan::learning
