// Folding networks of other tools, against their definition evaluated with 600 bits.
#include "bnnplan/network/imported_network.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/random.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "support/input_error_of.hpp"
#include "support/random_network.hpp"

namespace bnnplan {
namespace {

// value becomes factor * value + offset.
void append_affine(Normalisation& norm, const mpq_class& factor, const mpq_class& offset) {
  norm.scale *= factor;
  norm.shift *= factor;
  norm.beta = norm.beta * factor + offset;
}

// D becomes factor * D + offset.
void prepend_affine(Normalisation& norm, const mpq_class& factor, const mpq_class& offset) {
  norm.shift += norm.scale * offset;
  norm.scale *= factor;
}

// value becomes (value - mean) * gamma / sqrt(variance) + beta. False if two roots would meet.
bool append_batch_norm(Normalisation& norm, const mpq_class& mean, const mpq_class& variance,
                       const mpq_class& gamma, const mpq_class& beta) {
  assert(variance > 0);
  if (const auto root = exact_root(variance)) {
    append_affine(norm, gamma / *root, beta - mean * gamma / *root);
    return true;
  }
  const Normalisation inner = without_rational_root(norm);
  if (inner.variance == 1) {
    norm = {inner.scale * gamma, (inner.shift - mean) * gamma, variance, beta};
    return true;
  }
  if (inner.beta != mean) return false;
  norm = {inner.scale * gamma, inner.shift * gamma, inner.variance * variance, beta};
  return true;
}

using testing::input_error_of;

constexpr mp_bitcnt_t precision = 600;

// The value as a number of 600 bits; 0 if it is nearer to that than any that these tests have.
mpf_class value_of(const Normalisation& norm, const mpq_class& d) {
  mpf_class root(norm.variance, precision);
  root = sqrt(root);
  const mpf_class value =
      mpf_class(norm.scale * d + norm.shift, precision) / root + mpf_class(norm.beta, precision);
  return abs(value) < mpf_class("1e-80", precision) ? mpf_class(0, precision) : value;
}

mpq_class random_rational(Random& random) {
  mpq_class number(static_cast<long>(random.below(41)) - 20, 1 + random.below(6));
  number.canonicalize();
  return number;
}

Normalisation random_normalisation(Random& random) {
  Normalisation norm;
  norm.scale = random_rational(random);
  norm.shift = random_rational(random);
  norm.variance = mpq_class(1 + random.below(12), 1 + random.below(4));
  norm.variance.canonicalize();
  if (random.below(2) == 0) norm.beta = random_rational(random);
  return norm;
}

ImportedNetwork random_import(Random& random) {
  ImportedNetwork imported;
  imported.file = "f.onnx";
  const std::size_t inputs = 1 + random.below(6);
  for (std::size_t i = 0; i < inputs; ++i) {
    ImportedInput& input = imported.inputs.emplace_back();
    input.name = "x" + std::to_string(i);
    input.numeric = random.below(2) == 0;
    input.low = random_rational(random);
    input.step = 1 + random.below(3);
    input.high = input.low + mpq_class(random.below(10), 2);
    input.norm = random_normalisation(random);
    input.at_zero = random.below(2) == 0 ? ZeroGives::one : ZeroGives::zero;
  }
  std::size_t width = inputs;
  for (std::size_t l = random.below(3); l > 0; --l) {
    ImportedLayer& layer = imported.layers.emplace_back();
    for (std::size_t n = 1 + random.below(6); n > 0; --n) {
      layer.neurons.push_back({testing::random_weights(random, width), random_normalisation(random),
                               random.below(2) == 0 ? ZeroGives::one : ZeroGives::zero});
    }
    width = layer.neurons.size();
  }
  if (imported.layers.empty() || random.below(2) == 0) {
    const mpq_class variance = 1 + random.below(4), beta = random_rational(random);
    const std::size_t kind = random.below(3);  // no root; one that is common to all; roots that remain
    for (std::size_t c = 1 + random.below(4); c > 0; --c) {
      Normalisation norm = random_normalisation(random);
      if (kind == 0) norm.variance = 1;
      if (kind == 1) norm.variance = variance * 4;
      if (kind == 1) norm.beta = beta;
      imported.scores.neurons.push_back({testing::random_weights(random, width), norm, ZeroGives::one});
    }
    width = imported.scores.neurons.size();
    if (random.below(2) == 0) imported.tie = ClassTie::highest;
  }
  for (std::size_t i = 0; i < width; ++i) imported.outputs.push_back("y" + std::to_string(i));
  return imported;
}

bool bit_of(const Normalisation& norm, ZeroGives at_zero, const mpq_class& d) {
  const mpf_class value = value_of(norm, d);
  return value > 0 || (value == 0 && at_zero == ZeroGives::one);
}

// The definition of an imported network: the bits of its last layer of neurons.
BitValues bits_of(const ImportedNetwork& imported, const std::vector<mpq_class>& numbers) {
  BitValues bits;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const ImportedInput& input = imported.inputs[i];
    bits.push_back(input.numeric ? bit_of(input.norm, input.at_zero, numbers[i]) : numbers[i] != 0);
  }
  for (const ImportedLayer& layer : imported.layers) {
    BitValues next;
    for (const ImportedNeuron& neuron : layer.neurons) {
      int d = 0;
      for (std::size_t i = 0; i < bits.size(); ++i)
        d += bits[i] != 0 ? neuron.weights[i] : -neuron.weights[i];
      next.push_back(bit_of(neuron.norm, neuron.at_zero, d));
    }
    bits = next;
  }
  return bits;
}

std::size_t class_of(const ImportedNetwork& imported, const BitValues& bits, bool& near_tie) {
  std::vector<mpf_class> values;
  for (const ImportedNeuron& neuron : imported.scores.neurons) {
    int d = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) d += bits[i] != 0 ? neuron.weights[i] : -neuron.weights[i];
    values.push_back(value_of(neuron.norm, d));
  }
  std::size_t best = 0;
  const mpf_class exact_limit("1e-80", precision), double_limit("1e-9", precision);
  for (std::size_t c = 1; c < values.size(); ++c) {
    const mpf_class difference = values[c] - values[best];
    if (abs(difference) < double_limit) near_tie = true;
    if (difference > exact_limit || (abs(difference) < exact_limit && imported.tie == ClassTie::highest))
      best = c;
  }
  return best;
}

TEST(ImportedNetwork, FoldsToTheSameFunction) {
  Random random(1);
  std::size_t rounded = 0, exact_roots = 0;
  for (int i = 0; i < 400; ++i) {
    const ImportedNetwork imported = random_import(random);
    const Network network = fold(imported);
    for (int sample = 0; sample < 20; ++sample) {
      std::vector<mpq_class> numbers;
      for (const ImportedInput& input : imported.inputs) {
        const mpq_class steps = (input.high - input.low) / input.step;
        const std::size_t values = mpz_class(steps.get_num() / steps.get_den()).get_ui() + 1;
        numbers.push_back(input.numeric ? mpq_class(input.low + random.below(values) * input.step)
                                        : mpq_class(random.below(2)));
      }
      const BitValues bits = bits_of(imported, numbers);
      const BitValues folded_inputs = binarize(network, numbers);
      if (!imported.layers.empty()) {
        ASSERT_EQ(evaluate_reference(network, folded_inputs), bits) << i;
      }
      if (!is_classifier(network)) continue;
      bool near_tie = false;
      const std::size_t expected = class_of(imported, bits, near_tie);
      if (!network.rounded || !near_tie) {
        EXPECT_EQ(reference_class(network, folded_inputs), expected) << i;
      }
    }
    if (network.rounded) ++rounded;
    if (is_classifier(network) && !network.rounded && imported.scores.neurons.front().norm.variance != 1)
      ++exact_roots;
  }
  EXPECT_GT(rounded, 20u);
  EXPECT_GT(exact_roots, 20u);
}

ImportedNetwork one_neuron(std::vector<std::int8_t> weights, Normalisation norm, ZeroGives at_zero) {
  ImportedNetwork imported;
  imported.file = "f.onnx";
  for (std::size_t i = 0; i < weights.size(); ++i)
    imported.inputs.emplace_back().name = "x" + std::to_string(i);
  imported.layers.push_back({"node 'Sign_1'", {{std::move(weights), std::move(norm), at_zero}}});
  imported.outputs = {"y"};
  return imported;
}

// Sign is 0 at 0: with three inputs D is odd and never 0, with two it is even.
TEST(ImportedNetwork, SignNeedsAProofThatNothingIsZero) {
  EXPECT_EQ(fold(one_neuron({1, 1, -1}, {}, ZeroGives::neither)).layers[0].neurons[0],
            (Neuron{{1, 1, -1}, 2}));
  EXPECT_EQ(fold(one_neuron({1, 1, 0, -1}, {}, ZeroGives::neither)).layers[0].neurons[0],
            (Neuron{{1, 1, 0, -1}, 2}));
  EXPECT_EQ(fold(one_neuron({1, 1}, {1, mpq_class(1, 2), 1, 0}, ZeroGives::neither)).layers[0].neurons[0],
            (Neuron{{1, 1}, 1}));
  EXPECT_EQ(fold(one_neuron({1, 1}, {1, 4, 1, 0}, ZeroGives::neither)).layers[0].neurons[0].threshold, 0);
  EXPECT_EQ(input_error_of([] {
              fold(one_neuron({1, 1}, {}, ZeroGives::neither));
            }),
            "f.onnx: node 'Sign_1': the value of neuron 1 can be exactly 0, for which Sign gives neither -1 "
            "nor +1; specify the option 'tie'");
  EXPECT_EQ(fold(one_neuron({1, 1}, {}, ZeroGives::one)).layers[0].neurons[0].threshold, 1);
  EXPECT_EQ(fold(one_neuron({1, 1}, {}, ZeroGives::zero)).layers[0].neurons[0].threshold, 2);
  EXPECT_NE(input_error_of([] { fold(one_neuron({1, 1, 1}, {0, 0, 1, 0}, ZeroGives::neither)); }), "");
}

NumericInput folded_number(const ImportedInput& input) {
  ImportedNetwork imported = one_neuron({1}, {}, ZeroGives::one);
  imported.inputs[0] = input;
  return *fold(imported).numbers[0];
}

TEST(ImportedNetwork, ThresholdsOfNumbersAreThoseOfTheFileWherePossible) {
  ImportedInput input{"x", true, 0, 255, 1, {}, ZeroGives::one};
  prepend_affine(input.norm, mpq_class(2, 255), -1);  // 2 x / 255 - 1
  EXPECT_EQ(folded_number(input).threshold, mpq_class(255, 2));
  EXPECT_EQ(folded_number({"x", true, 0, 1, mpq_class(1, 4), {1, mpq_class(-1, 2), 1, 0}, ZeroGives::one})
                .threshold,
            mpq_class(1, 2));
  EXPECT_EQ(folded_number({"x", true, 0, 1, mpq_class(1, 4), {1, mpq_class(-1, 2), 1, 0}, ZeroGives::zero})
                .threshold,
            mpq_class(5, 8))
      << "x > 1/2 is x >= 5/8, in quarters";
  EXPECT_EQ(folded_number({"x", true, 0, 10, 1, {1, 0, 2, -2}, ZeroGives::one}).threshold, mpq_class(5, 2))
      << "x / sqrt(2) >= 2 is x >= 2.83, in integers x >= 2.5";
  EXPECT_EQ(folded_number({"x", true, 0, 10, 1, {0, 0, 1, 1}, ZeroGives::one}).threshold, mpq_class(-1, 2));
  EXPECT_EQ(folded_number({"x", true, 0, 10, 1, {0, 0, 1, -1}, ZeroGives::one}).threshold, mpq_class(21, 2));
  EXPECT_EQ(input_error_of([] {
              folded_number({"x", true, 0, 10, 1, {1, -5, 1, 0}, ZeroGives::neither});
            }),
            "f.onnx: input 'x': it can be exactly 0, for which Sign gives neither -1 nor +1; specify the "
            "option 'tie'");
  EXPECT_EQ(folded_number({"x", true, 0, 10, 2, {1, -5, 1, 0}, ZeroGives::neither}).threshold, 5);
}

// x <= 5 is the opposite of x >= 5.5, which the weights take up.
TEST(ImportedNetwork, NumbersWithANegativeScaleTurnTheWeights) {
  ImportedNetwork imported = one_neuron({1, 1}, {}, ZeroGives::one);
  imported.inputs[0] = {"x0", true, 0, 10, 1, {-1, 5, 1, 0}, ZeroGives::one};
  const Network network = fold(imported);
  EXPECT_EQ(network.numbers[0]->threshold, mpq_class(11, 2));
  EXPECT_FALSE(network.numbers[1]);
  EXPECT_EQ(network.layers[0].neurons[0].weights, (std::vector<std::int8_t>{-1, 1}));
}

ImportedNetwork two_scores(const Normalisation& first, const Normalisation& second) {
  ImportedNetwork imported = one_neuron({1}, {}, ZeroGives::one);
  imported.scores = {"scores", {{{1}, first, ZeroGives::one}, {{-1}, second, ZeroGives::one}}};
  imported.outputs = {"a", "b"};
  return imported;
}

TEST(ImportedNetwork, WhatAllScoresHaveIsDropped) {
  const Network same = fold(two_scores({3, 6, 1, 0}, {3, -3, 1, 0}));
  EXPECT_EQ(same.scores, (std::vector<Score>{{{1}, 1, 2}, {{-1}, 1, -1}}));
  const Network root = fold(two_scores({3, 6, 2, 5}, {3, -3, 8, 5}));
  EXPECT_EQ(root.scores, (std::vector<Score>{{{1}, 1, 2}, {{-1}, mpq_class(1, 2), mpq_class(-1, 2)}}));
  EXPECT_FALSE(root.rounded);
  const Network negative = fold(two_scores({-3, 6, 1, 0}, {-3, -3, 1, 0}));
  EXPECT_EQ(negative.scores, (std::vector<Score>{{{-1}, 1, 2}, {{1}, 1, -1}}));
  const Network same_bias = fold(two_scores({3, 6, 1, 0}, {6, 6, 1, 0}));
  EXPECT_EQ(same_bias.scores, (std::vector<Score>{{{1}, 1, 0}, {{-1}, 2, 0}}));
  const Network remains = fold(two_scores({3, 6, 2, 5}, {3, -3, 1, 0}));
  EXPECT_TRUE(remains.rounded);
  EXPECT_EQ(remains.scores[1].scale, 3 / mpq_class(3 / std::sqrt(2.0)));
  const Network constant = fold(two_scores({0, 6, 1, 0}, {2, 4, 1, 0}));
  EXPECT_EQ(constant.scores, (std::vector<Score>{{{0}, 1, 3}, {{-1}, 1, 2}}));
}

// Doubles do not reach these scales, their bits do; and two of them are far apart.
TEST(ImportedNetwork, ScalesThatRemainAreRoundedAtAnySize) {
  const mpq_class far = mpz_class(1) << 3000;
  // A quotient of doubles is rounded twice, and another one.
  const mpq_class over_root_2(static_cast<double>(1 / std::sqrt(2.0L))),
      over_root_3(static_cast<double>(1 / std::sqrt(3.0L)));
  for (const mpq_class& size : {far, mpq_class(1 / far)}) {
    const Network network = fold(two_scores({size, 0, 2, 0}, {size, 0, 3, 0}));
    EXPECT_TRUE(network.rounded);
    EXPECT_EQ(network.scores[0].weights, (std::vector<std::int8_t>{1}));
    EXPECT_EQ(network.scores[1].weights, (std::vector<std::int8_t>{-1}));
    EXPECT_EQ(network.scores[1].scale, over_root_3 / over_root_2);
  }
  EXPECT_EQ(fold(two_scores({1, 0, 2, 0}, {1 / far, 0, 1, 0})).scores[1].scale, 1 / far / over_root_2);
}

// A network file that could not be read again is not written.
TEST(ImportedNetwork, NumbersHaveALimitOfDigits) {
  const mpq_class far = mpz_class(1) << 40'000;
  EXPECT_EQ(input_error_of([&] {
              fold(two_scores({1, 0, 1, 0}, {far, 0, 1, 0}));
            }),
            "f.onnx: the score of class 'b': a number of more than 10000 digits");
  // A threshold may be any between two values.
  EXPECT_EQ(folded_number({"x", true, 0, 10, 1, {far, -2 * far - 1, 1, 0}, ZeroGives::one}).threshold,
            mpq_class(5, 2));
  EXPECT_EQ(input_error_of([&] {
              folded_number({"x", true, 0, far, 1, {1, -5, 1, 0}, ZeroGives::one});
            }),
            "f.onnx: input 'x': a number of more than 10000 digits");
}

TEST(ImportedNetwork, RefusesWhatMakesNoSense) {
  const auto error_of = [](auto&& change) {
    ImportedNetwork imported = one_neuron({1, 1, 1}, {}, ZeroGives::one);
    change(imported);
    return input_error_of([&] { fold(imported); });
  };
  using N = ImportedNetwork&;
  EXPECT_EQ(error_of([](N n) { n.inputs.clear(); }), "f.onnx: a network has from 1 to 1048576 inputs");
  EXPECT_EQ(error_of([](N n) { n.layers.clear(); }), "f.onnx: a network has at least one layer");
  EXPECT_EQ(error_of([](N n) { n.inputs[1].name = "x0"; }), "f.onnx: duplicate input 'x0'");
  EXPECT_EQ(error_of([](N n) { n.inputs[1].name = "a\nb"; }),
            "f.onnx: 'a\\x0ab' cannot be the name of an input in a network file");
  EXPECT_EQ(error_of([](N n) { n.outputs.clear(); }), "f.onnx: 0 output names, expected 1");
  EXPECT_EQ(error_of([](N n) { n.layers[0].neurons.clear(); }),
            "f.onnx: node 'Sign_1': a layer has a width from 1 to 1048576");
  EXPECT_EQ(error_of([](N n) { n.layers[0].neurons[0].weights = {1}; }),
            "f.onnx: node 'Sign_1': 1 weight in a neuron, expected 3");
  EXPECT_EQ(error_of([](N n) { n.layers[0].neurons[0].weights[0] = 2; }),
            "f.onnx: node 'Sign_1': a weight is not -1, 0 or +1");
  EXPECT_EQ(error_of([](N n) { n.layers[0].neurons[0].norm.variance = 0; }),
            "f.onnx: node 'Sign_1': variance + epsilon is not positive");
  EXPECT_EQ(error_of([](N n) { n.inputs[0] = {"x0", true, 0, 1, 0, {}, ZeroGives::one}; }),
            "f.onnx: input 'x0': its step is not positive");
  EXPECT_EQ(error_of([](N n) { n.inputs[0] = {"x0", true, 1, 0, 1, {}, ZeroGives::one}; }),
            "f.onnx: input 'x0': its range is empty");
}

TEST(Normalisation, ChainsAreOne) {
  Random random(2);
  int refused = 0;
  for (int i = 0; i < 500; ++i) {
    Normalisation norm = random_normalisation(random);
    const mpq_class d = random_rational(random);
    mpf_class expected = value_of(norm, d);
    const mpq_class factor = random_rational(random), offset = random_rational(random);
    append_affine(norm, factor, offset);
    expected = expected * mpf_class(factor, precision) + mpf_class(offset, precision);
    const mpq_class mean = i % 3 == 0 ? norm.beta : random_rational(random);
    const mpq_class variance = mpq_class(1 + random.below(9)), gamma = random_rational(random);
    if (!append_batch_norm(norm, mean, variance, gamma, offset)) {
      ++refused;
      continue;
    }
    expected = (expected - mpf_class(mean, precision)) * mpf_class(gamma, precision) /
                   sqrt(mpf_class(variance, precision)) +
               mpf_class(offset, precision);
    EXPECT_LT(abs(value_of(norm, d) - expected), mpf_class("1e-70", precision)) << i;
    Normalisation shifted = norm;
    prepend_affine(shifted, 3, 2);
    EXPECT_LT(abs(value_of(shifted, d) - value_of(norm, 3 * d + 2)), mpf_class("1e-70", precision)) << i;
    EXPECT_EQ(sign_at(norm, d), sgn(value_of(norm, d))) << i;
  }
  EXPECT_GT(refused, 20);
  EXPECT_LT(refused, 400);
}

}  // namespace
}  // namespace bnnplan
