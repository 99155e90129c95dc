// Layers whose neurons share blocks: every neuron keeps its meaning and its propagation.

#include "bnnplan/encode/layer_sharing.hpp"

#include <algorithm>
#include <bit>
#include <random>

#include <gtest/gtest.h>

#include "bnnplan/encode/neuron_encoding.hpp"
#include "encode/constraint_check.hpp"

namespace bnnplan::encoding {
namespace {

// Neurons over `variables` inputs, some of which each may leave out; outputs are numbered after the inputs.
std::vector<ReifiedAtLeast> random_layer(int neurons, int variables, bool all_inputs, std::mt19937& random) {
  std::vector<ReifiedAtLeast> layer;
  for (int i = 0; i < neurons; ++i) {
    ReifiedAtLeast neuron{Lit::of({static_cast<std::uint32_t>(variables + i)}, random() % 2 == 0), {}, 0};
    for (std::uint32_t v = 0; v < static_cast<std::uint32_t>(variables); ++v) {
      if (all_inputs || random() % 4 != 0) neuron.inputs.push_back(Lit::of({v}, random() % 2 == 0));
    }
    neuron.threshold = static_cast<int>(random() % (neuron.inputs.size() + 2));
    layer.push_back(neuron);
    // Now and then the same or the opposite neuron with another threshold, as real networks have them.
    if (random() % 4 == 0 && i > 0) {
      layer.back().inputs = layer[static_cast<std::size_t>(i - 1)].inputs;
      if (random() % 2 == 0) {
        for (Lit& input : layer.back().inputs) input = ~input;
      }
    }
  }
  return layer;
}

class SharingEncodings : public ::testing::TestWithParam<NeuronEncoding> {};

TEST_P(SharingEncodings, KeepMeaningAndPropagationOfEveryNeuron) {
  std::mt19937 random(11);
  for (int round = 0; round < 150; ++round) {
    const int variables = 1 + round % 6;
    const int neurons = 1 + static_cast<int>(random() % 7);
    const std::vector<ReifiedAtLeast> layer = random_layer(neurons, variables, round % 2 == 0, random);
    CollectingSink formula({static_cast<std::uint32_t>(variables + neurons)});
    encode_layer(layer, {GetParam(), static_cast<int>(random() % 6)}, formula);
    for (const ReifiedAtLeast& neuron : layer) {
      std::vector<Lit> literals = neuron.inputs;
      literals.push_back(neuron.output);
      const std::size_t n = neuron.inputs.size();
      ConstraintCheck check(formula, literals, [&](std::uint32_t assignment) {
        return ((assignment >> n & 1) != 0) ==
               (std::popcount(assignment & ((1u << n) - 1)) >= neuron.threshold);
      });
      // Other neurons of the layer may forbid assignments of this one only through its inputs, which are all
      // free.
      ASSERT_TRUE(check.is_exact()) << "round " << round;
      ASSERT_TRUE(check.is_propagation_complete()) << "round " << round;
    }
  }
}

TEST_P(SharingEncodings, ComputeLargeLayersFromTheirInputsAndBack) {
  std::mt19937 random(13);
  for (int round = 0; round < 12; ++round) {
    const int variables = 10 + static_cast<int>(random() % 60);
    const int neurons = 2 + static_cast<int>(random() % 30);
    std::vector<ReifiedAtLeast> layer = random_layer(neurons, variables, round % 3 != 0, random);
    for (ReifiedAtLeast& neuron : layer) {
      const int n = static_cast<int>(neuron.inputs.size());
      neuron.threshold = std::clamp(n / 2 - 3 + static_cast<int>(random() % 7), 1, n);
    }
    CollectingSink formula({static_cast<std::uint32_t>(variables + neurons)});
    encode_layer(layer, {GetParam(), 3}, formula);
    UnitPropagation propagation(formula, formula.variables());
    for (int trial = 0; trial < 10; ++trial) {
      std::vector<Lit> inputs;
      for (std::uint32_t v = 0; v < static_cast<std::uint32_t>(variables); ++v)
        inputs.push_back(Lit::of({v}, random() % 2 == 0));
      ASSERT_TRUE(propagation.assume(inputs));
      for (const ReifiedAtLeast& neuron : layer) {
        const auto count = std::count_if(neuron.inputs.begin(), neuron.inputs.end(),
                                         [&](Lit input) { return propagation.is_true(input); });
        ASSERT_TRUE(propagation.is_true(count >= neuron.threshold ? neuron.output : ~neuron.output));
      }
    }
    for (const ReifiedAtLeast& neuron : layer) {
      std::vector<Lit> inputs = neuron.inputs;
      std::shuffle(inputs.begin(), inputs.end(), random);
      const auto k = static_cast<std::size_t>(neuron.threshold);
      std::vector<Lit> assumed(inputs.begin(), inputs.begin() + neuron.threshold - 1);
      assumed.push_back(~neuron.output);
      ASSERT_TRUE(propagation.assume(assumed));
      for (std::size_t i = k - 1; i < inputs.size(); ++i) ASSERT_TRUE(propagation.is_false(inputs[i]));
      assumed.assign(1, neuron.output);
      for (std::size_t i = k; i < inputs.size(); ++i) assumed.push_back(~inputs[i]);
      ASSERT_TRUE(propagation.assume(assumed));
      for (std::size_t i = 0; i < k; ++i) ASSERT_TRUE(propagation.is_true(inputs[i]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SharingEncodings,
                         ::testing::Values(NeuronEncoding::shared, NeuronEncoding::automatic),
                         [](const auto& info) { return std::string(describe(info.param).name); });

TEST(LayerSharing, EqualAndOppositeNeuronsShareAllButTheLastMerge) {
  std::mt19937 random(17);
  std::vector<ReifiedAtLeast> one = random_layer(1, 40, true, random);
  one[0].threshold = 20;
  std::vector<ReifiedAtLeast> three(3, one[0]);
  three[1].output = Lit::positive({100});
  three[2].output = Lit::positive({101});
  for (Lit& input : three[2].inputs) input = ~input;
  three[2].threshold = 21;
  CountingSink alone, together;
  encode_layer(one, {NeuronEncoding::shared, 3}, alone);
  encode_layer(three, {NeuronEncoding::shared, 3}, together);
  EXPECT_EQ(together.size().variables, alone.size().variables);
  EXPECT_LE(together.size().clauses, alone.size().clauses + 2 * 41);
}

TEST(LayerSharing, IsDeterministic) {
  std::mt19937 random(19);
  const std::vector<ReifiedAtLeast> layer = random_layer(20, 30, false, random);
  CollectingSink first({50}), second({50});
  encode_layer(layer, {NeuronEncoding::automatic, 3}, first);
  encode_layer(layer, {NeuronEncoding::automatic, 3}, second);
  ASSERT_EQ(first.clauses(), second.clauses());
  for (std::size_t i = 0; i < first.clauses(); ++i) {
    ASSERT_TRUE(std::ranges::equal(first.clause(i), second.clause(i)));
  }
}

TEST(LayerSharing, EmptyLayerIsNothing) {
  CountingSink sink;
  encode_layer({}, {}, sink);
  EXPECT_EQ(sink.size(), EncodingSize{});
}

}  // namespace
}  // namespace bnnplan::encoding
