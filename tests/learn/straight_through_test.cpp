#include "bnnplan/learn/straight_through.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "bnnplan/base/random.hpp"
#include "bnnplan/learn/adam.hpp"
#include "bnnplan/learn/evaluate.hpp"
#include "bnnplan/learn/prune.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "learn/reference_gradient.hpp"

namespace bnnplan::learning {

#if defined(__x86_64__)
extern const TrainKernels emulated_avx512_train_kernels;  // emulated_avx512.cpp
#endif

namespace {

using testing::reference_gradient;
using testing::reference_network;
using testing::ReferenceNetwork;

DataSet some_data() {
  return parse_data_set("a,b,c,y',z'\n0,0,0,1,0\n0,1,0,0,1\n1,0,0,1,1\n1,1,1,0,0\n1,1,0,1,0\n0,1,1,0,1\n",
                        "d.csv");
}

void set(LineVector<float>& values, const std::vector<float>& to) {
  ASSERT_LE(to.size(), values.size());
  std::copy(to.begin(), to.end(), values.begin());
}

void set(LaneMatrix& matrix, const std::vector<float>& to) {
  ASSERT_EQ(to.size(), matrix.rows() * matrix.columns());
  for (std::size_t i = 0; i < to.size(); ++i) matrix(i / matrix.columns(), i % matrix.columns()) = to[i];
}

std::vector<float> values_of(const LaneMatrix& matrix) {
  std::vector<float> values;
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    values.insert(values.end(), matrix.row(i), matrix.row(i) + matrix.columns());
  return values;
}

void expect_same(const LaneMatrix& a, const LaneMatrix& b) { EXPECT_EQ(values_of(a), values_of(b)); }

void expect_same(const Gradient& a, const Gradient& b) {
  for (std::size_t l = 0; l < a.size(); ++l) {
    expect_same(a[l].weights, b[l].weights);
    EXPECT_EQ(a[l].gamma, b[l].gamma);
    EXPECT_EQ(a[l].beta, b[l].beta);
  }
}

std::vector<std::uint32_t> all_places(const SampleSet& samples) {
  std::vector<std::uint32_t> places(samples.rows.size());
  std::iota(places.begin(), places.end(), 0);
  return places;
}

// All loops that can be run here, and those of AVX-512 with emulated instructions.
std::vector<const TrainKernels*> all_kernels() {
  std::vector<const TrainKernels*> kernels;
  for (const InstructionSet set : instruction_sets()) kernels.push_back(&train_kernels(set));
#if defined(__x86_64__)
  kernels.push_back(&emulated_avx512_train_kernels);
#endif
  return kernels;
}

// The last layer is differentiable but for the signs of its weights: its gradient must be the true one. That
// covers the loss, weighted samples and the way through batch normalisation.
TEST(StraightThrough, LastLayerOfTheReferenceHasTheTrueGradient) {
  const DataSet data = some_data();
  SampleSet samples = whole(data);
  samples.counts = {1, 3, 2, 1, 5, 1};
  LatentNetwork latent = make_latent_network({3, 5, 2}, 0, 11);
  set(latent.back().gamma, {0.7f, -0.4f});
  set(latent.back().beta, {0.2f, -0.1f});
  ReferenceNetwork network = reference_network(latent), gradient, ignored;
  const std::vector<std::uint32_t> places = all_places(samples);
  reference_gradient(network, data, samples, places, gradient);
  const auto check = [&](double& parameter, double derivative) {
    const double step = 1e-6, before = parameter;
    parameter = before + step;
    const double up = reference_gradient(network, data, samples, places, ignored);
    parameter = before - step;
    const double down = reference_gradient(network, data, samples, places, ignored);
    parameter = before;
    EXPECT_NEAR((up - down) / (2 * step), derivative, 1e-4 * (1 + std::abs(derivative)));
  };
  for (std::size_t i = 0; i < 2; ++i) {
    check(network.back().gamma[i], gradient.back().gamma[i]);
    check(network.back().beta[i], gradient.back().beta[i]);
    for (std::size_t j = 0; j < 5; ++j) check(network.back().weights[i][j], gradient.back().weights[i][j]);
  }
}

// Random bits: `inputs` and `outputs` columns.
DataSet random_data(std::size_t inputs, std::size_t outputs, std::size_t lines) {
  Random random(inputs * 100 + outputs);
  std::string text;
  for (std::size_t i = 0; i < inputs; ++i) text += fmt::format("x{},", i);
  for (std::size_t i = 0; i < outputs; ++i) text += fmt::format("y{}'{}", i, i + 1 < outputs ? "," : "\n");
  for (std::size_t line = 0; line < lines; ++line) {
    for (std::size_t i = 0; i < inputs + outputs; ++i)
      text += fmt::format("{}{}", random.below(2), i + 1 < inputs + outputs ? "," : "\n");
  }
  return parse_data_set(text, "random.csv");
}

// Widths around those of registers and of tables: a chunk is 64 neurons, a byte holds the sums of 124 inputs.
TEST(TrainKernels, AllGiveTheGradientOfTheReferenceAndTheSameBits) {
  for (const std::vector<std::size_t>& widths :
       {std::vector<std::size_t>{3, 1}, {5, 7, 2}, {29, 65, 64, 25}, {130, 48, 17}, {9, 260, 33, 3}}) {
    for (const float dead_zone : {0.0f, 0.7f}) {
      SCOPED_TRACE(fmt::format("{} with {}", fmt::join(widths, ":"), dead_zone));
      const DataSet data = random_data(widths.front(), widths.back(), 40);
      SampleSet samples = whole(data);
      for (std::size_t i = 0; i < samples.counts.size(); ++i)
        samples.counts[i] = 1 + static_cast<std::uint32_t>(i % 3);
      LatentNetwork network = make_latent_network(widths, dead_zone, 7);
      for (LatentLayer& layer : network) {
        for (std::size_t i = 0; i < layer.neurons(); ++i) {
          layer.gamma[i] = 0.5f + 0.1f * static_cast<float>(i % 7);
          layer.beta[i] =
              0.05f * static_cast<float>(i % 5) - 0.0937f;  // never 0: then rounding would choose a sign
        }
      }
      const std::vector<std::uint32_t> places = all_places(samples);
      ReferenceNetwork expected;
      const double expected_loss =
          reference_gradient(reference_network(network), data, samples, places, expected);
      Gradient first;
      for (const TrainKernels* kernels : all_kernels()) {
        SCOPED_TRACE(kernels->name);
        StraightThrough work(network, data, samples, *kernels);
        Gradient gradient = make_gradient(network);
        const double loss = work.compute(places, gradient);
        EXPECT_NEAR(loss, expected_loss, 1e-4 * expected_loss);
        for (std::size_t l = 0; l < network.size(); ++l) {
          for (std::size_t i = 0; i < network[l].neurons(); ++i) {
            EXPECT_NEAR(gradient[l].gamma[i], expected[l].gamma[i],
                        2e-3 * (1 + std::abs(expected[l].gamma[i])));
            EXPECT_NEAR(gradient[l].beta[i], expected[l].beta[i], 2e-3 * (1 + std::abs(expected[l].beta[i])));
            for (std::size_t j = 0; j < network[l].inputs(); ++j)
              ASSERT_NEAR(gradient[l].weights(i, j), expected[l].weights[i][j],
                          2e-3 * (1 + std::abs(expected[l].weights[i][j])));
          }
        }
        if (first.empty()) first = gradient;
        expect_same(gradient, first);
        // And the rest of an update.
        LatentNetwork moved = network, moved_first = network;
        Adam adam(moved, *kernels), adam_first(moved_first, *all_kernels().front());
        const std::vector<Gradient> parts{gradient, first};
        WorkerPool one(1), three(3);
        for (int step = 0; step < 3; ++step) {
          adam.step(moved, parts, 0.03f, three);
          adam_first.step(moved_first, parts, 0.03f, one);
        }
        const auto statistics = population_statistics(moved, data, samples, three, *kernels);
        const auto statistics_first =
            population_statistics(moved_first, data, samples, one, *all_kernels().front());
        for (std::size_t l = 0; l < network.size(); ++l) {
          expect_same(moved[l].weights, moved_first[l].weights);
          expect_same(moved[l].signs, moved_first[l].signs);
          EXPECT_EQ(moved[l].gamma, moved_first[l].gamma);
          EXPECT_EQ(statistics[l].mean, statistics_first[l].mean);
          EXPECT_EQ(statistics[l].variance, statistics_first[l].variance);
        }
      }
    }
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
    const std::vector<float> left = values_of(a[l].weights), right = values_of(b[l].weights);
    for (std::size_t i = 0; i < left.size(); ++i) EXPECT_NEAR(left[i], right[i], 1e-4f);
    for (std::size_t i = 0; i < a[l].gamma.size(); ++i) EXPECT_NEAR(a[l].gamma[i], b[l].gamma[i], 1e-4f);
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
  expect_same(a, b);
}

TEST(LatentNetwork, SignsAndDeadZone) {
  LatentNetwork network = make_latent_network({2, 1}, 0.5f, 1);
  set(network[0].weights, {0.5f, -0.4f});
  binarize(network[0]);
  EXPECT_EQ(network[0].signs(0, 0), 1.0f);
  EXPECT_EQ(network[0].signs(0, 1), 0.0f);
  network[0].dead_zone = 0;
  set(network[0].weights, {0.0f, -0.4f});
  binarize(network[0]);
  EXPECT_EQ(network[0].signs(0, 0), 1.0f);  // sign(0)
  EXPECT_EQ(network[0].signs(0, 1), -1.0f);
}

TEST(LatentNetwork, PopulationStatisticsOfTheFirstLayer) {
  const DataSet data = some_data();
  SampleSet samples = whole(data);
  samples.counts = {1, 1, 1, 1, 1, 5};
  LatentNetwork network = make_latent_network({3, 1, 2}, 0, 1);
  set(network[0].weights, {0.3f, 0.3f, -0.3f});
  binarize(network[0]);
  WorkerPool pool(1);
  const auto statistics = population_statistics(network, data, samples, pool);
  // Sums a + b - c of -1/+1: -1, 1, 1, 1, 3, -1 with counts 1 1 1 1 1 5.
  EXPECT_DOUBLE_EQ(statistics[0].mean[0], 0.0);
  EXPECT_DOUBLE_EQ(statistics[0].variance[0], (1 + 1 + 1 + 1 + 9 + 5) / 10.0);
}

TEST(LatentNetwork, FoldsToTheSameFunction) {
  const DataSet data = some_data();
  const SampleSet samples = whole(data);
  LatentNetwork network = make_latent_network({3, 8, 2}, 0.3f, 9);
  network[0].gamma[2] = -0.5f;
  set(network[1].beta, {0.3f, -0.2f});
  WorkerPool pool(1);
  const auto statistics = population_statistics(network, data, samples, pool);
  const Network folded = fold(trained_network(network, statistics, data));
  EXPECT_EQ(folded.inputs, data.input_names);
  EXPECT_EQ(shape_text(folded), "3:8:2");
  std::uint64_t wrong = 0;
  for (std::uint32_t row = 0; row < samples.rows.size(); ++row) {
    std::vector<double> values;
    for (int i = 0; i < 3; ++i) values.push_back(((data.input(row)[0] >> i) & 1u) != 0 ? 1 : -1);
    for (std::size_t l = 0; l < network.size(); ++l) {
      std::vector<double> next(network[l].neurons(), 0.0);
      for (std::size_t i = 0; i < next.size(); ++i) {
        for (std::size_t j = 0; j < values.size(); ++j)
          next[i] += static_cast<double>(network[l].signs(i, j)) * values[j];
        const double x = (next[i] - statistics[l].mean[i]) * static_cast<double>(network[l].gamma[i]) /
                             std::sqrt(statistics[l].variance[i] + static_cast<double>(norm_epsilon)) +
                         static_cast<double>(network[l].beta[i]);
        next[i] = x >= 0 ? 1 : -1;
      }
      values = next;
    }
    for (std::size_t i = 0; i < 2; ++i)
      wrong += (values[i] > 0) != (((data.output(row)[0] >> i) & 1u) != 0) ? 1 : 0;
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
  set(network[0].weights, {0.9f, -0.1f, 0.5f, 0.2f,  //
                           0.01f, 0.02f, 0.03f, -0.04f});
  binarize(network[0]);
  EXPECT_EQ(prune(network, 0.5), 4u);
  EXPECT_EQ(values_of(network[0].signs), (std::vector<float>{1, 0, 1, 1,  //
                                                             0, 0, 0, -1}));
  EXPECT_EQ(prune(network, 1.0), 2u);
  binarize(network[0]);
  EXPECT_EQ(values_of(network[0].signs), (std::vector<float>{1, 0, 0, 0,      //
                                                             0, 0, 0, -1}));  // pruned weights stay pruned
  EXPECT_EQ(prune(network, 1.0), 0u);
}

TEST(Adam, MovesAgainstTheGradientAndClips) {
  LatentNetwork network = make_latent_network({2, 1}, 0, 1);
  set(network[0].weights, {0.05f, 0.95f});
  binarize(network[0]);
  Gradient gradient = make_gradient(network);
  set(gradient[0].weights, {3.0f, -0.001f});
  Adam adam(network);
  WorkerPool pool(1);
  adam.step(network, std::span(&gradient, 1), 0.1f,
            pool);  // the first step of Adam is the rate, whatever the size of the gradient
  EXPECT_NEAR(network[0].weights(0, 0), -0.05f, 1e-4f);
  EXPECT_EQ(network[0].signs(0, 0), -1.0f);
  EXPECT_EQ(network[0].weights(0, 1), 1.0f);
  EXPECT_EQ(network[0].gamma[0], 1.0f);
}

}  // namespace
}  // namespace bnnplan::learning
