// Networks of named arrays, from NumPy.
#include "bnnplan/exchange/npz_network.hpp"

#include <cmath>
#include <random>

#include "bnnplan/exchange/import_network.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "support/archive_maker.hpp"
#include "support/input_error_of.hpp"
#include "support/temporary_folder.hpp"

namespace bnnplan::exchange {
namespace {

using testing::input_error_of;

NamedArray named(std::string name, std::vector<std::size_t> shape, std::vector<double> values) {
  return {std::move(name), {{std::move(shape), std::move(values)}, {}, false}};
}
NamedArray named_text(std::string name, std::vector<std::string> texts) {
  return {std::move(name), {{{texts.size()}, {}}, texts, true}};
}

Network network_of(std::vector<NamedArray> arrays, const ImportOptions& options = {}) {
  return fold(npz_network(std::move(arrays), "n.npz", options));
}
std::string error_of(std::vector<NamedArray> arrays, const ImportOptions& options = {}) {
  return input_error_of([&] { network_of(std::move(arrays), options); });
}

TEST(NpzNetwork, LayersOfThresholds) {
  ImportOptions bits;
  const Network network =
      network_of({named("layer0/weight", {2, 3}, {1, -1, 0, 1, 1, 1}), named("layer0/threshold", {2}, {1, 3}),
                  named("layer1.weight", {1, 2}, {1, -1}), named("layer1_threshold", {1}, {2}),
                  named_text("input/names", {"a", "b", "c"}), named_text("output/names", {"y"})});
  const Network expected{{"a", "b", "c"}, {"y"}, {{{{{1, -1, 0}, 1}, {{1, 1, 1}, 3}}}, {{{{1, -1}, 2}}}}};
  EXPECT_EQ(network.layers, expected.layers);
  EXPECT_EQ(network.inputs, expected.inputs);
  EXPECT_EQ(network.outputs, expected.outputs);
  EXPECT_EQ(network.record, std::vector<std::string>{"inputs are bits, -1 and 1 (bits)"});
}

// A random network of everything there is, beside what it computes by definition with exact numbers: x *
// scale, normalised, its sign; sums, biases, normalised, their signs; scores.
TEST(NpzNetwork, ComputesWhatTheArraysSay) {
  std::mt19937 random(7);
  const auto pick = [&](std::vector<double> from) { return from[random() % from.size()]; };
  const auto many = [&](std::size_t count, const std::vector<double>& from) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(pick(from));
    return values;
  };
  const std::vector<double> means = {0, 0.5, -1.25, 3}, gammas = {1, -1, 0.5, -2, 0},
                            betas = {0, 0.25, -0.5, 1};
  // Variances that are squares, so that the definition needs no root.
  const std::vector<double> variances = {0.25, 1, 4, 2.25};
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = 1 + random() % 5, h = 1 + random() % 4, c = 2 + random() % 3;
    const std::vector<double> in_mean = many(n, means), in_gamma = many(n, gammas), in_beta = many(n, betas),
                              in_var = many(n, variances), w = many(h * n, {1, -1, 0}), b = many(h, betas),
                              mean = many(h, means), gamma = many(h, gammas), beta = many(h, betas),
                              variance = many(h, variances), v = many(c * h, {1, -1, 0}), d = many(c, betas);
    ImportOptions options;
    options.range = {-2, 3};
    options.step = mpq_class(1, 2);
    options.scale = mpq_class(1, 3);
    options.tie = round % 2 == 0 ? ZeroGives::one : ZeroGives::zero;
    const Network network = network_of(
        {named("input/mean", {n}, in_mean), named("input/variance", {n}, in_var),
         named("input/gamma", {n}, in_gamma), named("input/beta", {n}, in_beta),
         named("layer0/weight", {h, n}, w), named("layer0/bias", {h}, b), named("layer0/mean", {h}, mean),
         named("layer0/variance", {h}, variance), named("layer0/gamma", {h}, gamma),
         named("layer0/beta", {h}, beta), named("scores/weight", {c, h}, v), named("scores/bias", {c}, d),
         named("epsilon", {}, {0})},
        options);
    const auto sign = [&](const mpq_class& x) { return x > 0 || (x == 0 && round % 2 == 0) ? 1 : -1; };
    for (int sample = 0; sample < 20; ++sample) {
      std::vector<mpq_class> x, hidden, first, scores;
      for (std::size_t i = 0; i < n; ++i) x.emplace_back(static_cast<long>(random() % 11) - 4, 2);
      for (mpq_class& number : x) number.canonicalize();
      for (std::size_t i = 0; i < n; ++i) {
        const mpq_class root = in_var[i] == 2.25 ? mpq_class(3, 2) : mpq_class(std::sqrt(in_var[i]));
        first.emplace_back(
            sign(mpq_class(in_gamma[i]) * (x[i] / 3 - mpq_class(in_mean[i])) / root + mpq_class(in_beta[i])));
      }
      for (std::size_t j = 0; j < h; ++j) {
        mpq_class sum(b[j]);
        for (std::size_t i = 0; i < n; ++i) sum += mpq_class(w[j * n + i]) * first[i];
        const mpq_class root(std::sqrt(variance[j]));
        hidden.emplace_back(
            sign(mpq_class(gamma[j]) * (sum - mpq_class(mean[j])) / root + mpq_class(beta[j])));
      }
      for (std::size_t k = 0; k < c; ++k) {
        mpq_class sum(d[k]);
        for (std::size_t j = 0; j < h; ++j) sum += mpq_class(v[k * h + j]) * hidden[j];
        scores.push_back(sum);
      }
      const BitValues bits = binarize(network, x);
      EXPECT_EQ(reference_class(network, bits), best_class(scores, ClassTie::lowest))
          << round << ' ' << sample;
    }
  }
}

TEST(NpzNetwork, AsAFileAndAsAFolder) {
  const testing::TemporaryFolder folder;
  const std::string weight = testing::npy_of_doubles("(2, 2)", {1, -1, 1, 1});
  const std::string file = folder.write("n.npz", testing::zip_of({{"scores_weight.npy", weight, true}}));
  std::filesystem::create_directory(folder / "arrays");
  folder.write("arrays/scores_weight.npy", weight);
  const Network network = import_network(NetworkSource::npz, file, {});
  EXPECT_EQ(network.scores.size(), 2u);
  EXPECT_EQ(import_network(NetworkSource::npz, folder / "arrays", {}), network);
  EXPECT_EQ(
      input_error_of([&] { import_network(NetworkSource::npz, folder / "arrays/scores_weight.npy", {}); }),
      (folder / "arrays/scores_weight.npy").string() +
          ": a single array (.npy), expected an archive (.npz) or a folder of named arrays");
  std::filesystem::create_directory(folder / "empty");
  EXPECT_EQ(input_error_of([&] { import_network(NetworkSource::npz, folder / "empty", {}); }),
            (folder / "empty").string() + ": no .npy files in this folder");
  EXPECT_EQ(input_error_of([&] { import_network(NetworkSource::npz, folder / "none", {}); }),
            (folder / "none").string() + ": cannot read: No such file or directory");
}

TEST(NpzNetwork, WhatIsMissingIsAskedFor) {
  const std::vector<NamedArray> with_norm = {named("layer0/weight", {1, 1}, {1}),
                                             named("layer0/mean", {1}, {0}),
                                             named("layer0/variance", {1}, {1})};
  EXPECT_EQ(error_of(with_norm),
            "n.npz: layer0: batch normalisation without its epsilon, which such files do not have: specify "
            "the option 'epsilon'");
  const std::vector<NamedArray> numbers = {named("scores/weight", {1, 1}, {1}),
                                           named("input/threshold", {1}, {0})};
  EXPECT_EQ(
      error_of(numbers),
      "n.npz: the inputs are numbers, and the file does not state their range: specify the option 'range'");
  ImportOptions range;
  range.range = {0, 1};
  EXPECT_EQ(
      error_of(numbers, range),
      "n.npz: the inputs are numbers, and the file does not state their step: specify the option 'step'");
  // D = 0 is reached: one of two inputs agrees.
  EXPECT_NE(error_of({named("layer0/weight", {1, 2}, {1, 1}), named("layer0/bias", {1}, {0}),
                      named("scores/weight", {1, 1}, {1})})
                .find("'tie'"),
            std::string::npos);
}

TEST(NpzNetwork, OptionsThatDoNotFit) {
  ImportOptions bits, range, outputs;
  bits.bits = {0, 1};
  range.range = {0, 1};
  outputs.scores = false;
  const std::vector<NamedArray> numbers = {named("scores/weight", {1, 1}, {1}),
                                           named("input/threshold", {1}, {0}), named("input/low", {}, {0}),
                                           named("input/high", {}, {1}), named("input/step", {}, {1})};
  EXPECT_EQ(network_of(numbers).numbers.size(), 1u);
  EXPECT_EQ(error_of(numbers, bits),
            "n.npz: the option 'bits' is given, but the network binarizes its inputs itself");
  EXPECT_EQ(error_of(numbers, outputs),
            "n.npz: wrong kind of outputs requested: the file says that its last layer has scores");
  const std::vector<NamedArray> plain = {named("layer0/weight", {1, 1}, {1}),
                                         named("layer0/threshold", {1}, {1})};
  EXPECT_EQ(error_of(plain, range),
            "n.npz: a range, step or scale is given, but the first layer has weights: its inputs are bits");
  bits.bits = {1, 1};
  EXPECT_EQ(error_of(plain, bits), "n.npz: both values of the option 'bits' are the same");
  ImportOptions classes;
  classes.classes = {"a", "b"};
  EXPECT_EQ(error_of(plain, classes), "n.npz: 2 output names, expected 1");
}

// 0 and 1 instead of -1 and +1: sums are shifted, and the function is another one.
TEST(NpzNetwork, InputsThatAreZeroAndOne) {
  ImportOptions options;
  options.bits = {0, 1};
  options.tie = ZeroGives::one;
  options.scores = false;
  const Network network =
      network_of({named("layer0/weight", {1, 3}, {1, 1, -1}), named("layer0/bias", {1}, {-1})}, options);
  for (unsigned bits = 0; bits < 8; ++bits) {
    BitValues inputs;
    for (int i = 0; i < 3; ++i) inputs.push_back(static_cast<BitValue>(bits >> i & 1));
    EXPECT_EQ(evaluate_reference(network, inputs)[0], inputs[0] + inputs[1] - inputs[2] - 1 >= 0) << bits;
  }
}

TEST(NpzNetwork, WhatIsWrongWithArrays) {
  EXPECT_EQ(error_of({}), "n.npz: no weights: expected at least one array of two dimensions");
  EXPECT_EQ(error_of({named("foo", {}, {1})}),
            "n.npz: foo: not the name of an array of a network, expected a name such as layer0/weight, "
            "layer0/mean, "
            "scores/bias, "
            "input/low or epsilon");
  EXPECT_EQ(error_of({named("layer1/weight", {1, 1}, {1})}),
            "n.npz: layer0: missing: layers are numbered from 0, without gaps");
  EXPECT_EQ(error_of({named("layer0/bias", {1}, {1})}), "n.npz: layer0/weight: missing");
  EXPECT_EQ(error_of({named("layer0/weight", {1, 1}, {1}), named("layer0.weight", {1, 1}, {1})}),
            "n.npz: layer0.weight: duplicate, under two names");
  EXPECT_EQ(error_of({named_text("layer0/weight", {"a"})}), "n.npz: layer0/weight: text, expected numbers");
  EXPECT_EQ(error_of({named("scores/weight", {1, 1}, {1}), named("scores/tie", {}, {1})}),
            "n.npz: scores/tie: numbers, expected text");
  EXPECT_EQ(error_of({named("scores/weight", {1, 1}, {1}), named_text("scores/tie", {"first"})}),
            "n.npz: scores/tie: expected 'lowest' or 'highest'");
  EXPECT_EQ(error_of({named("scores/weight", {1, 1}, {0.5})}),
            "n.npz: scores: a weight is 0.5, expected -1, 0 or +1 (or the option 'latent', if only the sign "
            "counts)");
  EXPECT_EQ(error_of({named("scores/weight", {2}, {1, 1})}),
            "n.npz: scores: weights of 2, expected two dimensions: outputs x inputs");
  EXPECT_EQ(error_of({named("scores/weight", {1, 1, 1, 1}, {1})}),
            "n.npz: scores: a convolution, expected weights of two dimensions: outputs x inputs");
  EXPECT_EQ(error_of({named("layer0/weight", {1, 1}, {1}), named("scores/weight", {1, 2}, {1, 1})}),
            "n.npz: scores: weights of 1 x 2, expected 1 inputs, the outputs of the previous layer");
  EXPECT_EQ(error_of({named("scores/weight", {1, 1}, {1}), named("scores/bias", {2}, {1, 1})}),
            "n.npz: scores: bias of 2, expected 1 numbers");
  EXPECT_EQ(error_of({named("scores/weight", {1, 1}, {1}), named("scores/bias", {1}, {HUGE_VAL})}),
            "n.npz: scores: bias has a number that is not finite, at position 0");
  EXPECT_EQ(error_of({named("scores/weight", {1, 1}, {1}), named("scores/mean", {1}, {1})}),
            "n.npz: scores/variance: missing");
  EXPECT_EQ(error_of({named("scores/weight", {1, 1}, {1}), named("scores/mean", {1}, {1}),
                      named("scores/variance", {1}, {-1}), named("epsilon", {}, {1})}),
            "n.npz: scores: variance + epsilon is not positive, at position 0");
  EXPECT_EQ(error_of({named("epsilon", {}, {-1})}), "n.npz: epsilon: expected a number of at least 0");
  EXPECT_EQ(
      error_of({named("scores/weight", {1, 1}, {1}), named("input/threshold", {1}, {1}),
                named("input/low", {}, {2}), named("input/high", {}, {1}), named("input/step", {}, {1})}),
      "n.npz: inputs: low > high, or a step that is not positive");
}

}  // namespace
}  // namespace bnnplan::exchange
