#include "learn/straight_through.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "learn/adam.hpp"
#include "learn/evaluate.hpp"
#include "learn/prune.hpp"
#include "network/reference_inference.hpp"

namespace bnnplan {
namespace {

DataSet some_data() {
  return parse_data_set("a,b,c,y',z'\n0,0,0,1,0\n0,1,0,0,1\n1,0,0,1,1\n1,1,1,0,0\n1,1,0,1,0\n0,1,1,0,1\n",
                        "d.csv");
}

std::vector<std::uint32_t> all_places(const SampleSet& samples) {
  std::vector<std::uint32_t> places(samples.rows.size());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

double loss_of(const LatentNetwork& network, const DataSet& data, const SampleSet& samples) {
  StraightThrough work(network, data, samples);
  Gradient ignored = make_gradient(network);
  return work.compute(all_places(samples), ignored);
}

// The last layer is differentiable but for the signs of its weights: its gradient must be the true one. That
// covers the loss, weighted samples and the way through batch normalisation.
TEST(StraightThrough, LastLayerHasTheTrueGradient) {
  const DataSet data = some_data();
  SampleSet samples = whole(data);
  samples.counts = {1, 3, 2, 1, 5, 1};
  LatentNetwork network = make_latent_network({3, 5, 2}, 0, 11);
  network.back().gamma << 0.7f, -0.4f;
  network.back().beta << 0.2f, -0.1f;
  StraightThrough work(network, data, samples);
  Gradient gradient = make_gradient(network);
  work.compute(all_places(samples), gradient);
  const auto check = [&](float& parameter, float derivative) {
    const float step = 1e-3f, before = parameter;
    parameter = before + step;
    const double up = loss_of(network, data, samples);
    parameter = before - step;
    const double down = loss_of(network, data, samples);
    parameter = before;
    EXPECT_NEAR((up - down) / (2 * step), derivative, 0.02 * (1 + std::abs(derivative)));
  };
  for (int i = 0; i < 2; ++i) {
    check(network.back().gamma[i], gradient.back().gamma[i]);
    check(network.back().beta[i], gradient.back().beta[i]);
    for (int j = 0; j < 5; ++j) check(network.back().signs(i, j), gradient.back().weights(i, j));
  }
}

TEST(StraightThrough, CountsAreRepetitions) {
  const DataSet data = some_data();
  SampleSet counted = whole(data);
  counted.counts = {2, 1, 1, 3, 1, 1};
  const LatentNetwork network = make_latent_network({3, 4, 2}, 0, 5);
  StraightThrough with_counts(network, data, counted);
  Gradient a = make_gradient(network), b = make_gradient(network);
  const double loss = with_counts.compute(all_places(counted), a);
  const SampleSet plain = whole(data);
  StraightThrough repeated(network, data, plain);
  EXPECT_NEAR(loss, repeated.compute(std::vector<std::uint32_t>{0, 0, 1, 2, 3, 3, 3, 4, 5}, b), 1e-4);
  for (std::size_t l = 0; l < a.size(); ++l) {
    EXPECT_LT((a[l].weights - b[l].weights).cwiseAbs().maxCoeff(), 1e-4f);
    EXPECT_LT((a[l].gamma - b[l].gamma).cwiseAbs().maxCoeff(), 1e-4f);
  }
}

TEST(StraightThrough, ResultDoesNotDependOnEarlierCalls) {
  const DataSet data = some_data();
  const SampleSet samples = whole(data);
  const LatentNetwork network = make_latent_network({3, 6, 6, 2}, 0.5f, 5);
  StraightThrough used(network, data, samples), fresh(network, data, samples);
  Gradient a = make_gradient(network), b = make_gradient(network);
  used.compute(all_places(samples), a);
  const std::vector<std::uint32_t> two{1, 4};
  EXPECT_EQ(used.compute(two, a), fresh.compute(two, b));
  for (std::size_t l = 0; l < a.size(); ++l) EXPECT_EQ(a[l].weights, b[l].weights);
}

TEST(LatentNetwork, SignsAndDeadZone) {
  LatentNetwork network = make_latent_network({2, 1}, 0.5f, 1);
  network[0].weights << 0.5f, -0.4f;
  binarize(network[0]);
  EXPECT_EQ(network[0].signs(0, 0), 1.0f);
  EXPECT_EQ(network[0].signs(0, 1), 0.0f);
  network[0].dead_zone = 0;
  network[0].weights << 0.0f, -0.4f;
  binarize(network[0]);
  EXPECT_EQ(network[0].signs(0, 0), 1.0f);  // sign(0)
  EXPECT_EQ(network[0].signs(0, 1), -1.0f);
}

TEST(LatentNetwork, PopulationStatisticsOfTheFirstLayer) {
  const DataSet data = some_data();
  SampleSet samples = whole(data);
  samples.counts = {1, 1, 1, 1, 1, 5};
  LatentNetwork network = make_latent_network({3, 1, 2}, 0, 1);
  network[0].weights << 0.3f, 0.3f, -0.3f;
  binarize(network[0]);
  const auto statistics = population_statistics(network, data, samples);
  // Sums a + b - c of -1/+1: -1, 1, 1, 1, 3, -1 with counts 1 1 1 1 1 5.
  EXPECT_DOUBLE_EQ(statistics[0].mean[0], 0.0);
  EXPECT_DOUBLE_EQ(statistics[0].variance[0], (1 + 1 + 1 + 1 + 9 + 5) / 10.0);
}

TEST(LatentNetwork, FoldsToTheSameFunction) {
  const DataSet data = some_data();
  const SampleSet samples = whole(data);
  LatentNetwork network = make_latent_network({3, 8, 2}, 0.3f, 9);
  network[0].gamma[2] = -0.5f;
  network[1].beta << 0.3f, -0.2f;
  const auto statistics = population_statistics(network, data, samples);
  const Network folded = fold(trained_network(network, statistics, data));
  EXPECT_EQ(folded.inputs, data.input_names);
  EXPECT_EQ(shape_text(folded), "3:8:2");
  std::uint64_t wrong = 0;
  for (std::uint32_t row = 0; row < samples.rows.size(); ++row) {
    Eigen::VectorXd values(3);
    for (int i = 0; i < 3; ++i) values[i] = ((data.input(row)[0] >> i) & 1u) != 0 ? 1 : -1;
    for (std::size_t l = 0; l < network.size(); ++l) {
      Eigen::VectorXd next = network[l].signs.cast<double>() * values;
      for (Eigen::Index i = 0; i < next.size(); ++i) {
        const double x = (next[i] - statistics[l].mean[i]) * static_cast<double>(network[l].gamma[i]) /
                             std::sqrt(statistics[l].variance[i] + static_cast<double>(norm_epsilon)) +
                         static_cast<double>(network[l].beta[i]);
        next[i] = x >= 0 ? 1 : -1;
      }
      values = next;
    }
    for (int i = 0; i < 2; ++i) wrong += (values[i] > 0) != (((data.output(row)[0] >> i) & 1u) != 0) ? 1 : 0;
  }
  EXPECT_EQ(evaluate(folded, data, samples).wrong_bits, wrong);
}

TEST(Evaluate, CountsTransitionsAndBits) {
  const DataSet data = some_data();
  SampleSet samples = whole(data);
  samples.counts = {1, 1, 1, 1, 4, 1};
  // Both outputs constant: y' = 1, z' = 1.
  const Network constant{data.input_names, data.output_names, {{{{{1, 0, 0}, 0}, {{0, 1, 0}, 0}}}}};
  const Errors errors = evaluate(constant, data, samples);
  EXPECT_EQ(errors.samples, 9u);
  EXPECT_EQ(errors.bits, 18u);
  EXPECT_EQ(errors.wrong_transitions, 8u);  // all but row 2
  EXPECT_EQ(errors.wrong_bits, 1u + 1 + 2 + 4 + 1);
  EXPECT_DOUBLE_EQ(errors.transition_rate(), 8.0 / 9);
  EXPECT_DOUBLE_EQ(density(constant), 2.0 / 6);
  EXPECT_EQ(evaluate(constant, data, {}).transition_rate(), 0);
}

TEST(Prune, CutsTheSmallestAndLeavesEveryNeuronOne) {
  LatentNetwork network = make_latent_network({4, 2}, 0, 1);
  network[0].weights << 0.9f, -0.1f, 0.5f, 0.2f,  //
      0.01f, 0.02f, 0.03f, -0.04f;
  binarize(network[0]);
  EXPECT_EQ(prune(network, 0.5), 4u);
  Eigen::MatrixXf expected(2, 4);
  expected << 1, 0, 1, 1,  //
      0, 0, 0, -1;
  EXPECT_EQ(network[0].signs, expected);
  EXPECT_EQ(prune(network, 1.0), 2u);
  binarize(network[0]);
  expected << 1, 0, 0, 0,  //
      0, 0, 0, -1;
  EXPECT_EQ(network[0].signs, expected);  // pruned weights stay pruned
  EXPECT_EQ(prune(network, 1.0), 0u);
}

TEST(Adam, MovesAgainstTheGradientAndClips) {
  LatentNetwork network = make_latent_network({2, 1}, 0, 1);
  network[0].weights << 0.05f, 0.95f;
  binarize(network[0]);
  Gradient gradient = make_gradient(network);
  gradient[0].weights << 3.0f, -0.001f;
  Adam adam(network);
  adam.step(network, gradient,
            0.1f);  // the first step of Adam is the rate, whatever the size of the gradient
  EXPECT_NEAR(network[0].weights(0, 0), -0.05f, 1e-4f);
  EXPECT_EQ(network[0].signs(0, 0), -1.0f);
  EXPECT_EQ(network[0].weights(0, 1), 1.0f);
  EXPECT_EQ(network[0].gamma[0], 1.0f);
}

}  // namespace
}  // namespace bnnplan
