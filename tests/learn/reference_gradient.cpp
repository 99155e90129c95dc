#include "learn/reference_gradient.hpp"

#include <cmath>

namespace bnnplan::testing {

namespace {

using Table = std::vector<std::vector<double>>;  // [sample][neuron]

std::vector<double> numbers(const std::uint64_t* words, std::size_t bits) {
  std::vector<double> values;
  for (std::size_t i = 0; i < bits; ++i) values.push_back(((words[i / 64] >> (i % 64)) & 1u) != 0 ? 1 : -1);
  return values;
}

}  // namespace

ReferenceNetwork reference_network(const learning::LatentNetwork& network) {
  ReferenceNetwork result;
  for (const learning::LatentLayer& layer : network) {
    ReferenceLayer copy;
    for (std::size_t i = 0; i < layer.neurons(); ++i) {
      copy.weights.emplace_back();
      for (std::size_t j = 0; j < layer.inputs(); ++j)
        copy.weights.back().push_back(static_cast<double>(layer.signs(i, j)));
      copy.gamma.push_back(static_cast<double>(layer.gamma[i]));
      copy.beta.push_back(static_cast<double>(layer.beta[i]));
    }
    result.push_back(std::move(copy));
  }
  return result;
}

double reference_gradient(const ReferenceNetwork& network, const learning::DataSet& data,
                          const learning::SampleSet& part, learning::Group group,
                          ReferenceNetwork& gradient) {
  const std::size_t samples = group.size();
  std::vector<double> counts;
  double total = 0;
  Table inputs, targets;
  for (const std::uint32_t place : group) {
    inputs.push_back(numbers(data.input(part.rows[place]), data.input_names.size()));
    targets.push_back(numbers(data.output(part.rows[place]), data.output_names.size()));
    counts.push_back(static_cast<double>(part.counts[place]));
    total += counts.back();
  }
  std::vector<Table> below{inputs}, normalised, outputs;  // [layer]
  std::vector<std::vector<double>> deviation;
  for (const ReferenceLayer& layer : network) {
    const std::size_t neurons = layer.gamma.size();
    Table sums(samples, std::vector<double>(neurons, 0)), values = sums, signs = sums;
    deviation.emplace_back();
    for (std::size_t n = 0; n < neurons; ++n) {
      double mean = 0, variance = 0;
      for (std::size_t s = 0; s < samples; ++s) {
        for (std::size_t i = 0; i < layer.weights[n].size(); ++i)
          sums[s][n] += layer.weights[n][i] * below.back()[s][i];
        mean += counts[s] / total * sums[s][n];
      }
      for (std::size_t s = 0; s < samples; ++s)
        variance += counts[s] / total * (sums[s][n] - mean) * (sums[s][n] - mean);
      deviation.back().push_back(std::sqrt(variance + static_cast<double>(learning::norm_epsilon)));
      for (std::size_t s = 0; s < samples; ++s) {
        sums[s][n] = (sums[s][n] - mean) / deviation.back()[n];
        values[s][n] = layer.gamma[n] * sums[s][n] + layer.beta[n];
        signs[s][n] = values[s][n] >= 0 ? 1 : -1;
      }
    }
    normalised.push_back(sums);
    outputs.push_back(values);
    below.push_back(signs);
  }
  double loss = 0;
  Table slope = targets;
  for (std::size_t s = 0; s < samples; ++s) {
    for (std::size_t n = 0; n < slope[s].size(); ++n) {
      const double margin = std::max(0.0, 1 - targets[s][n] * outputs.back()[s][n]);
      loss += counts[s] * margin * margin;
      slope[s][n] = -2 * targets[s][n] * margin * counts[s];
    }
  }
  gradient = network;
  for (std::size_t l = network.size(); l-- > 0;) {
    const ReferenceLayer& layer = network[l];
    for (std::size_t n = 0; n < layer.gamma.size(); ++n) {
      double to_gamma = 0, to_beta = 0;
      for (std::size_t s = 0; s < samples; ++s) {
        to_gamma += slope[s][n] * normalised[l][s][n];
        to_beta += slope[s][n];
      }
      gradient[l].gamma[n] = to_gamma;
      gradient[l].beta[n] = to_beta;
      for (std::size_t s = 0; s < samples; ++s)
        slope[s][n] = layer.gamma[n] / deviation[l][n] *
                      (slope[s][n] - counts[s] / total * (to_beta + normalised[l][s][n] * to_gamma));
      for (std::size_t i = 0; i < layer.weights[n].size(); ++i) {
        gradient[l].weights[n][i] = 0;
        for (std::size_t s = 0; s < samples; ++s) gradient[l].weights[n][i] += slope[s][n] * below[l][s][i];
      }
    }
    if (l == 0) break;
    Table next(samples, std::vector<double>(network[l - 1].gamma.size(), 0));
    for (std::size_t s = 0; s < samples; ++s) {
      for (std::size_t i = 0; i < next[s].size(); ++i) {
        if (std::abs(outputs[l - 1][s][i]) > 1) continue;
        for (std::size_t n = 0; n < layer.gamma.size(); ++n) next[s][i] += layer.weights[n][i] * slope[s][n];
      }
    }
    slope = next;
  }
  return loss;
}

}  // namespace bnnplan::testing
