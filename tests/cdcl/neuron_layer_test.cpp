// Counters of a layer against counting again: columns and lists, 8 and 16 bits, with and without vectors.
#include "bnnplan/cdcl/neuron_layer.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace bnnplan::cdcl {
namespace {

struct Neurons {
  std::vector<std::vector<Lit>> inputs;
  std::vector<NeuronView> views;
};

// `inputs` variables from `first` on, the outputs behind them; each neuron has about one input in `rarity`.
Neurons random_neurons(std::mt19937& random, std::uint32_t inputs, std::uint32_t count, std::uint32_t rarity,
                       std::uint32_t first = 0) {
  Neurons neurons;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<Lit>& literals = neurons.inputs.emplace_back();
    for (std::uint32_t v = 0; v < inputs; ++v) {
      if (random() % rarity == 0) literals.push_back(Lit::of({first + v}, random() % 2 == 0));
    }
    if (literals.empty()) literals.push_back(Lit::positive({first + i % inputs}));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto threshold = static_cast<std::int32_t>(1 + random() % neurons.inputs[i].size());
    neurons.views.push_back({Lit::positive({first + inputs + i}), neurons.inputs[i], threshold});
  }
  return neurons;
}

TEST(NeuronLayer, CountsLikeCountingAgain) {
  std::mt19937 random(11);
  for (const std::uint32_t inputs : {5u, 70u, 253u, 300u}) {
    for (const std::uint32_t rarity : {1u, 2u, 30u}) {
      for (const bool dense : {true, false}) {
        for (const InstructionSet set : instruction_sets()) {
          const ColumnKernels& kernels = column_kernels(set);
          const Neurons neurons = random_neurons(random, inputs, 66, rarity);
          NeuronLayer layer(neurons.views, dense, nullptr);
          std::map<std::uint32_t, bool> values;  // of variables of the layer
          for (int round = 0; round < 40; ++round) {
            const auto column = static_cast<std::uint32_t>(random() % layer.columns().size());
            const Var variable = layer.columns()[column];
            std::vector<NeuronLayer::Hit> hits;
            const auto known = values.find(variable.index);
            if (known != values.end()) {
              layer.uncount_input(kernels, column, known->second);
              values.erase(known);
            } else {
              values[variable.index] = random() % 2 == 0;
              layer.count_input(kernels, column, values[variable.index], hits);
            }
            std::vector<NeuronLayer::Hit> expected[2];
            for (std::uint32_t i = 0; i < layer.size(); ++i) {
              ASSERT_EQ(layer.output(i).var().index, neurons.views[i].output.var().index);
              std::int32_t counts[2] = {0, 0};
              int changed = -1;
              for (const Lit input : neurons.inputs[i]) {
                const auto value = values.find(input.var().index);
                if (value == values.end()) continue;
                const int side = value->second != input.negated() ? 0 : 1;
                ++counts[side];
                if (input.var().index == variable.index) changed = side;
              }
              ASSERT_EQ(layer.true_inputs(i), counts[0]);
              ASSERT_EQ(layer.false_inputs(i), counts[1]);
              const auto n = static_cast<std::int32_t>(neurons.inputs[i].size());
              const std::int32_t limits[2] = {neurons.views[i].threshold, n - neurons.views[i].threshold + 1};
              if (changed >= 0 && counts[changed] >= limits[changed])
                expected[changed].push_back({i, static_cast<NeuronLayer::Side>(changed)});
            }
            std::size_t found[2] = {0, 0};
            for (const NeuronLayer::Hit hit : hits) {
              const auto side = static_cast<std::size_t>(hit.side);
              ASSERT_LT(found[side], expected[side].size());
              ASSERT_EQ(hit.neuron, expected[side][found[side]++].neuron);
            }
            ASSERT_EQ(found[0] + found[1], expected[0].size() + expected[1].size());
          }
        }
      }
    }
  }
}

TEST(NeuronLayer, SharesEqualWeightsOnly) {
  std::mt19937 random(12);
  const Neurons neurons = random_neurons(random, 20, 30, 2);
  random.seed(12);
  const Neurons of_next_step = random_neurons(random, 20, 30, 2, 100);
  const NeuronLayer first(neurons.views, true, nullptr);
  const NeuronLayer later(of_next_step.views, true, &first);
  EXPECT_EQ(&later.weights(), &first.weights());
  for (std::size_t column = 0; column < first.columns().size(); ++column)
    EXPECT_EQ(later.columns()[column].index, first.columns()[column].index + 100);
  const auto expect_other = [&](const Neurons& other) {
    const NeuronLayer layer(other.views, true, &first);
    EXPECT_NE(&layer.weights(), &first.weights());
    ASSERT_EQ(layer.size(), other.views.size());
    for (std::uint32_t i = 0; i < layer.size(); ++i) {
      ASSERT_EQ(layer.row(i).threshold, other.views[i].threshold);
      std::vector<Lit> inputs;
      for (const Lit input : layer.inputs(i)) inputs.push_back(layer.input(input));
      ASSERT_EQ(inputs, other.inputs[i]);
    }
  };
  const auto altered = [&](const auto& alter) {
    Neurons other{neurons.inputs, {}};
    alter(other);
    for (std::size_t i = 0; i < other.inputs.size(); ++i)
      other.views.push_back({neurons.views[i].output, other.inputs[i], neurons.views[i].threshold});
    return other;
  };
  expect_other(altered([](Neurons& n) { n.inputs[7].front() = ~n.inputs[7].front(); }));
  expect_other(altered([](Neurons& n) { n.inputs[29].push_back(Lit::positive({99})); }));
  expect_other(altered([](Neurons& n) { n.inputs.pop_back(); }));
  Neurons other = neurons;
  other.views[3].threshold = other.views[3].threshold == 1 ? 2 : 1;
  expect_other(other);
}

// Neuron 1 reads x0, neuron 2 reads x1; in the other step both read y.
TEST(NeuronLayer, TwoColumnsAreNotOne) {
  const std::vector<Lit> x0{Lit::positive({0})}, x1{Lit::positive({1})};
  const std::vector<NeuronView> apart{{Lit::positive({8}), x0, 1}, {Lit::positive({9}), x1, 1}};
  const std::vector<NeuronView> together{{Lit::positive({8}), x0, 1}, {Lit::positive({9}), x0, 1}};
  const NeuronLayer first(apart, true, nullptr), second(together, true, &first);
  EXPECT_EQ(first.columns().size(), 2u);
  EXPECT_EQ(second.columns().size(), 1u);
  EXPECT_NE(&second.weights(), &first.weights());
}

}  // namespace
}  // namespace bnnplan::cdcl
