// The figures of docs/encodings.md, computed again: every line of its tables that is made here must be in it,
// letter for letter. On a failure the message is the line that belongs there.

#include <fstream>
#include <functional>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "bnnplan/encode/cardinality_encodings.hpp"
#include "bnnplan/encode/linear_encoding.hpp"
#include "bnnplan/encode/neuron_encoding.hpp"
#include "bnnplan/encode/sorting.hpp"
#include "bnnplan/encode/weighted_encodings.hpp"

namespace bnnplan::encoding {
namespace {

using Layer = std::vector<ReifiedAtLeast>;

const std::string& documentation() {
  static const std::string text = [] {
    std::ifstream file(BNNPLAN_SOURCE_DIR "/docs/encodings.md");
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
  }();
  return text;
}

void expect_line(const std::string& line) {
  EXPECT_NE(documentation().find(line + "\n"), std::string::npos) << "docs/encodings.md lacks:\n" << line;
}

std::string text(const EncodingSize& size) {
  return std::to_string(size.variables) + " / " + std::to_string(size.clauses);
}

ReifiedAtLeast neuron_of(int n, int threshold) {
  ReifiedAtLeast neuron{Lit::positive({0}), {}, threshold};
  for (int i = 1; i <= n; ++i) neuron.inputs.push_back(Lit::positive({static_cast<std::uint32_t>(i)}));
  return neuron;
}

// Neurons that read all n inputs with random signs, and thresholds within `spread` of n/2.
Layer random_layer(int neurons, int n, int spread) {
  std::mt19937 random(1);
  Layer layer;
  for (int i = 0; i < neurons; ++i) {
    ReifiedAtLeast neuron{Lit::positive({static_cast<std::uint32_t>(n + i)}), {}, 0};
    for (std::uint32_t v = 0; v < static_cast<std::uint32_t>(n); ++v) {
      neuron.inputs.push_back(Lit::of({v}, (random() & 1) != 0));
    }
    neuron.threshold = n / 2 - spread + static_cast<int>(random() % static_cast<unsigned>(2 * spread + 1));
    layer.push_back(neuron);
  }
  return layer;
}

EncodingSize size_of(const Layer& layer, NeuronEncoding encoding) {
  CountingSink sink;
  encode_layer(layer, {encoding, 3}, sink);
  return sink.size();
}

TEST(EncodingSizes, OfOneNeuron) {
  for (const int n : {16, 64, 128, 256}) {
    for (const int k : {n / 4, n / 2}) {
      std::string line = "| " + std::to_string(n) + " | " + std::to_string(k) + " |";
      for (const NeuronEncodingInfo& info : neuron_encodings()) {
        if (info.encoding == NeuronEncoding::automatic || info.encoding == NeuronEncoding::shared) continue;
        const bool hopeless = info.encoding == NeuronEncoding::direct && n > 16;
        line += " " + (hopeless ? "-" : text(size_of({neuron_of(n, k)}, info.encoding))) + " |";
      }
      expect_line(line);
    }
  }
}

EncodingSize sum(const Layer& layer, const std::function<EncodingSize(const ReifiedAtLeast&)>& size) {
  EncodingSize total;
  for (const ReifiedAtLeast& neuron : layer) total += size(neuron);
  return total;
}

TEST(EncodingSizes, WhatEachIdeaBrings) {
  const Layer layers[] = {{neuron_of(128, 64)}, random_layer(128, 128, 8), random_layer(36, 36, 4)};
  const auto expect = [&](const std::string& name, const std::function<EncodingSize(const Layer&)>& size) {
    std::string line = "| " + name + " |";
    for (const Layer& layer : layers) line += " " + text(size(layer)) + " |";
    expect_line(line);
  };
  expect("the published network",
         [](const Layer& layer) { return size_of(layer, NeuronEncoding::published); });
  expect("odd-even merge sort of all inputs, no dummies", [](const Layer& layer) {
    SortingPrices prices(MergeRule::odd_even, Implication::both, 3);
    return sum(layer, [&](const ReifiedAtLeast& neuron) {
      const int n = static_cast<int>(neuron.inputs.size());
      return prices.size(n, {1, n}) + EncodingSize{0, 2};
    });
  });
  expect("cut at both ends, one position of the last merge (`network`)",
         [](const Layer& layer) { return size_of(layer, NeuronEncoding::network); });
  expect("direct merges where cheaper (`mixed`)",
         [](const Layer& layer) { return size_of(layer, NeuronEncoding::mixed); });
  expect("blocks shared between neurons (`shared`)",
         [](const Layer& layer) { return size_of(layer, NeuronEncoding::shared); });
}

TEST(EncodingSizes, OfTurningAround) {
  const ReifiedAtLeast neuron = neuron_of(128, 120);
  const auto expect = [&](const std::string& name, NeuronEncoding encoding,
                          const std::function<void(ClauseSink&)>& as_it_is) {
    CountingSink direct;
    as_it_is(direct);
    expect_line("| " + name + " | " + text(direct.size()) + " | " + text(size_of({neuron}, encoding)) + " |");
  };
  expect("published", NeuronEncoding::published,
         [&](ClauseSink& sink) { encode_published_network(neuron, sink); });
  expect("sequential", NeuronEncoding::sequential,
         [&](ClauseSink& sink) { encode_sequential_counter(neuron, Implication::both, sink); });
  expect("network", NeuronEncoding::network,
         [&](ClauseSink& sink) { encode_cardinality_network(neuron, Implication::both, sink); });
  expect("mixed", NeuronEncoding::mixed,
         [&](ClauseSink& sink) { encode_mixed_network(neuron, Implication::both, 3, sink); });
}

TEST(EncodingSizes, OfLinearConstraints) {
  const auto expect = [&](const std::string& name, int terms,
                          const std::function<std::int64_t(int)>& coefficient) {
    LinearRow constraint;
    std::int64_t total = 0;
    for (int i = 0; i < terms; ++i) {
      constraint.terms.push_back({coefficient(i), Lit::positive({static_cast<std::uint32_t>(i)})});
      total += coefficient(i);
    }
    constraint.bound = total / 2;
    std::string line = "| " + name + " |";
    for (const LinearEncodingInfo& info : linear_encodings()) {
      if (info.encoding == LinearEncoding::automatic) continue;
      CountingSink sink(3, 1'000'000);
      try {
        encode_linear(constraint, {info.encoding, NeuronEncoding::automatic, 3, 1'000'000}, sink);
        line += " " + text(sink.size()) + " |";
      } catch (const BudgetExhausted&) {
        line += " - |";
      }
    }
    expect_line(line);
  };
  expect("30 terms, coefficients 1, 2, 3", 30, [](int i) { return 1 + i % 3; });
  expect("30 terms, coefficients 1 to 30", 30, [](int i) { return 1 + i; });
  expect("16 terms: four numbers of four bits", 16, [](int i) { return std::int64_t{1} << i % 4; });
  expect("40 terms, coefficients i^3 + 1", 40, [](int i) { return std::int64_t{1} * i * i * i + 1; });
}

// The targets of a whole model, on random layers of the shapes of the published networks: clauses for each
// step.
TEST(EncodingSizes, StayBelowTheTargets) {
  const auto step = [](const std::vector<int>& shape) {
    EncodingSize total;
    for (std::size_t i = 1; i < shape.size(); ++i) {
      total += size_of(random_layer(shape[i], shape[i - 1], shape[i - 1] / 16), NeuronEncoding::automatic);
    }
    return total;
  };
  const EncodingSize navigation_3x3 = step({13, 36, 36, 9});
  EXPECT_LE(4 * navigation_3x3.variables, 79'000);
  EXPECT_LE(4 * navigation_3x3.clauses, 234'000);
  const EncodingSize navigation_5x5 = step({29, 128, 128, 25});
  EXPECT_LE(9 * navigation_5x5.variables, 2'000'000);
  EXPECT_LE(9 * navigation_5x5.clauses, 6'100'000);
  const EncodingSize sysadmin_5 = step({20, 128, 128, 128, 15});
  EXPECT_LE(4 * sysadmin_5.variables, 1'500'000);
  EXPECT_LE(4 * sysadmin_5.clauses, 4'600'000);
}

}  // namespace
}  // namespace bnnplan::encoding
