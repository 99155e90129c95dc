// Bit-packed inference against the scalar reference: every instruction set of this machine (and AVX-512, if
// need be without the instructions: emulated_avx512.cpp), both techniques and the choice between them, on
// random networks of many shapes and on the edges where a sum of 8 or 16 bits, a partial word or a constant
// neuron could go wrong.
#include "bnnplan/network/packed_inference.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "bnnplan/network/reference_inference.hpp"

namespace bnnplan {

#if defined(__x86_64__)
extern const Kernels kEmulatedAvx512Kernels;
#endif

namespace {

using Generator = std::mt19937_64;
using Bits = BitValues;  // one 0 or 1 per bit
using Widths = std::vector<std::size_t>;

std::size_t below(Generator& random, std::size_t end) { return random() % end; }

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> list;
  for (const InstructionSet set : instruction_sets()) list.push_back(&packed_kernels(set));
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.1")) list.push_back(&kEmulatedAvx512Kernels);
#endif
  return list;
}

Network network_of(std::size_t inputs, std::vector<Layer> layers) {
  Network network;
  for (std::size_t i = 0; i < inputs; ++i) network.inputs.push_back(std::to_string(i));
  for (std::size_t i = 0; i < layers.back().neurons.size(); ++i) {
    network.outputs.push_back(std::to_string(i) + "'");
  }
  network.layers = std::move(layers);
  return network;
}

// Each weight is 0 with a probability of zeros / 8.
std::vector<std::int8_t> random_weights(Generator& random, std::size_t inputs, std::size_t zeros) {
  std::vector<std::int8_t> weights(inputs);
  for (auto& weight : weights) {
    const int sign = below(random, 2) == 0 ? -1 : +1;
    weight = static_cast<std::int8_t>(below(random, 8) < zeros ? 0 : sign);
  }
  return weights;
}

// Mostly near the middle, where outputs depend on inputs; now and then at an edge, or absurd.
std::int32_t random_threshold(Generator& random, std::int32_t fan_in) {
  switch (below(random, 16)) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return fan_in;
    case 3:
      return fan_in + 1;
    case 4:
      return std::numeric_limits<std::int32_t>::min();
    case 5:
      return std::numeric_limits<std::int32_t>::max();
    default:
      return fan_in / 2 + static_cast<std::int32_t>(below(random, 7)) - 3;
  }
}

Network random_network(Generator& random, const Widths& widths, std::size_t zeros) {
  std::vector<Layer> layers;
  for (std::size_t l = 1; l < widths.size(); ++l) {
    Layer layer;
    for (std::size_t n = 0; n < widths[l]; ++n) {
      Neuron neuron{random_weights(random, widths[l - 1], zeros), 0};
      neuron.threshold = random_threshold(random, fan_in(neuron.weights));
      layer.neurons.push_back(std::move(neuron));
    }
    layers.push_back(std::move(layer));
  }
  return network_of(widths.front(), std::move(layers));
}

std::vector<Bits> random_samples(Generator& random, std::size_t inputs, std::size_t count) {
  std::vector<Bits> samples(count, Bits(inputs));
  for (Bits& sample : samples) {
    for (auto& bit : sample) bit = static_cast<BitValue>(below(random, 2));
  }
  return samples;
}

// One after the other, with the given bits in the unused part of the last words.
std::vector<std::uint64_t> pack(const std::vector<Bits>& samples, std::uint64_t unused) {
  std::vector<std::uint64_t> packed;
  for (const Bits& sample : samples) {
    const std::size_t first = packed.size();
    packed.resize(first + words_of(sample.size()), unused);
    for (std::size_t i = 0; i < sample.size(); ++i) {
      std::uint64_t& word = packed[first + i / 64];
      word = (word & ~(std::uint64_t{1} << i % 64)) | static_cast<std::uint64_t>(sample[i]) << i % 64;
    }
  }
  return packed;
}

std::vector<std::uint64_t> expected_outputs(const Network& network, const std::vector<Bits>& samples) {
  std::vector<Bits> outputs;
  for (const Bits& sample : samples) outputs.push_back(evaluate_reference(network, sample));
  return pack(outputs, 0);
}

std::vector<std::uint64_t> evaluate(const PackedNetwork& packed, const std::vector<std::uint64_t>& inputs,
                                    std::size_t count, Workspace& workspace) {
  // A canary behind the end, and junk in the place of the outputs.
  std::vector<std::uint64_t> outputs(count * packed.output_words() + 1, 0xdeadbeefdeadbeef);
  packed.evaluate(inputs.data(), count, outputs.data(), workspace);
  EXPECT_EQ(outputs.back(), 0xdeadbeefdeadbeef);
  outputs.pop_back();
  return outputs;
}

constexpr Technique kTechniques[] = {Technique::table, Technique::popcount, Technique::measured};
constexpr std::uint64_t kGarbage = 0xa5a5a5a5a5a5a5a5;

// Every kernel and technique gives the outputs of the reference, in one batch and sample by sample.
void expect_same_as_reference(const Network& network, const std::vector<Bits>& samples) {
  const auto inputs = pack(samples, kGarbage);
  const auto expected = expected_outputs(network, samples);
  Workspace workspace;
  for (const Kernels* kernels : all_kernels()) {
    for (const Technique technique : kTechniques) {
      SCOPED_TRACE(std::string(kernels->name) + ", technique " + std::to_string(static_cast<int>(technique)) +
                   ", " + shape_text(network));
      const PackedNetwork packed(network, *kernels, technique);
      ASSERT_EQ(packed.inputs(), network.inputs.size());
      ASSERT_EQ(packed.outputs(), network.outputs.size());
      ASSERT_EQ(evaluate(packed, inputs, samples.size(), workspace), expected);
      std::vector<std::uint64_t> outputs(expected.size());
      for (std::size_t i = 0; i < samples.size(); ++i) {
        packed.evaluate(inputs.data() + i * packed.input_words(), 1,
                        outputs.data() + i * packed.output_words(), workspace);
      }
      ASSERT_EQ(outputs, expected);
    }
  }
}

const Widths kWidths = {1,   2,   3,   31,  32,  33,  63,  64,  65,   127,
                        128, 129, 255, 256, 257, 511, 512, 513, 1000, 2000};

}  // namespace

TEST(PackedInference, RandomNetworksOfAllWidths) {
  Generator random(1);
  for (std::size_t i = 0; i < kWidths.size(); ++i) {
    for (const std::size_t zeros : {0, 1, 5}) {
      const std::size_t width = kWidths[i];
      const std::size_t other = kWidths[(i + 1 + below(random, kWidths.size() - 2)) % kWidths.size()];
      const std::size_t count = std::clamp<std::size_t>(4000000 / (width * other), 5, 300);
      const Network network = random_network(random, {width, other, 1 + below(random, 70)}, zeros);
      expect_same_as_reference(network, random_samples(random, width, count));
    }
  }
}

// The last chunk of a layer may be full, half full or nearly empty.
TEST(PackedInference, LayersOfAllSizes) {
  Generator random(10);
  for (const std::size_t inputs : {40, 128, 129, 300}) {
    for (std::size_t neurons = 1; neurons <= 140; ++neurons) {
      const Network network = random_network(random, {inputs, neurons}, 1);
      expect_same_as_reference(network, random_samples(random, inputs, 5));
    }
  }
}

TEST(PackedInference, DeepNetworks) {
  Generator random(2);
  for (const Widths& widths :
       {Widths{20, 128, 128, 128, 15}, Widths{13, 36, 36, 9}, Widths{12, 256, 256, 4}, Widths{7, 96, 96, 5},
        Widths{5, 1, 1, 1, 70, 2}, Widths{64, 64, 64}, Widths{1, 1}}) {
    for (const std::size_t zeros : {0, 3}) {
      const Network network = random_network(random, widths, zeros);
      expect_same_as_reference(network, random_samples(random, widths.front(), 101));
    }
  }
}

// Where 8 bits would wrap: every threshold at an edge, with all, all but one, one, and no inputs agreeing.
TEST(PackedInference, ThresholdsAtTheEdges) {
  Generator random(3);
  Widths widths = kWidths;
  for (const std::size_t width :
       {4, 5, 124, 125, 126, 130, 132, 250, 252, 254, 258, 260, 384, 385, 511, 513}) {
    widths.push_back(width);
  }
  for (const std::size_t width : widths) {
    for (const std::size_t zeros : {0, 2}) {
      const auto weights = random_weights(random, width, zeros);
      const std::int32_t n = fan_in(weights);
      Layer layer;
      for (const std::int32_t threshold :
           {-1, 0, 1, 2, n / 2, n / 2 + 1, n - 1, n, n + 1, n + 2, 127, 128, 129, 255, 256, 257,
            std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
        layer.neurons.push_back({weights, threshold});
      }
      Bits agree(width), disagree(width);
      for (std::size_t i = 0; i < width; ++i) {
        agree[i] = weights[i] > 0 ? 1 : 0;
        disagree[i] = weights[i] < 0 ? 1 : 0;
      }
      std::vector<Bits> samples = {agree, disagree, Bits(width, 0), Bits(width, 1)};
      for (const Bits& base : {agree, disagree}) {
        samples.push_back(base);
        samples.back()[below(random, width)] ^= 1;
      }
      expect_same_as_reference(network_of(width, {layer}), samples);
    }
  }
}

// Where 16 bits would wrap, and beyond, where tables are not used even if asked for.
TEST(PackedInference, LargestSums) {
  Generator random(4);
  for (const std::size_t width : {32766, 32767, 32768, 40000}) {
    const auto weights = random_weights(random, width, 0);
    Bits agree(width), disagree(width);
    for (std::size_t i = 0; i < width; ++i) {
      agree[i] = weights[i] > 0 ? 1 : 0;
      disagree[i] = weights[i] < 0 ? 1 : 0;
    }
    Bits almost = agree;
    almost[width / 3] ^= 1;
    const auto n = static_cast<std::int32_t>(width);
    Layer layer;
    for (const std::int32_t threshold : {0, 1, n / 2, n - 1, n, n + 1}) {
      layer.neurons.push_back({weights, threshold});
    }
    expect_same_as_reference(network_of(width, {layer}), {agree, disagree, almost});
  }
}

TEST(PackedInference, NeuronsWithoutWeights) {
  Generator random(5);
  for (const std::size_t width : {1, 64, 100, 200}) {
    Layer layer;
    for (const std::int32_t threshold : {-5, 0, 1, 2}) {
      layer.neurons.push_back({std::vector<std::int8_t>(width, 0), threshold});
    }
    expect_same_as_reference(network_of(width, {layer}), random_samples(random, width, 7));
  }
}

TEST(PackedInference, BatchesOfAnySize) {
  Generator random(6);
  for (const Widths& widths : {Widths{70, 130, 40, 9}, Widths{20, 128, 65}}) {
    const Network network = random_network(random, widths, 1);
    const auto samples = random_samples(random, widths.front(), 1000);
    const auto inputs = pack(samples, kGarbage);
    const auto expected = expected_outputs(network, samples);
    for (const Kernels* kernels : all_kernels()) {
      for (const Technique technique : kTechniques) {
        const PackedNetwork packed(network, *kernels, technique);
        Workspace workspace;
        for (const std::size_t count : {0, 1, 2, 3, 63, 64, 65, 255, 256, 257, 258, 511, 1000, 1}) {
          const auto outputs = evaluate(packed, inputs, count, workspace);
          ASSERT_EQ(outputs.size(), count * packed.output_words());
          ASSERT_TRUE(std::equal(outputs.begin(), outputs.end(), expected.begin()))
              << kernels->name << ", " << count << " samples";
        }
      }
    }
  }
}

TEST(PackedInference, UnusedInputBitsAreIgnored) {
  Generator random(7);
  for (const std::size_t width : {1, 13, 63, 65, 129, 300}) {
    const Network network = random_network(random, {width, 50, 20}, 1);
    const auto samples = random_samples(random, width, 10);
    Workspace workspace;
    for (const Kernels* kernels : all_kernels()) {
      for (const Technique technique : kTechniques) {
        const PackedNetwork packed(network, *kernels, technique);
        const auto expected = evaluate(packed, pack(samples, 0), samples.size(), workspace);
        for (const std::uint64_t unused : {~std::uint64_t{0}, kGarbage, ~kGarbage}) {
          EXPECT_EQ(evaluate(packed, pack(samples, unused), samples.size(), workspace), expected);
        }
      }
    }
  }
}

TEST(PackedInference, OneWorkspaceServesNetworksOfAllSizes) {
  Generator random(8);
  Workspace workspace;
  for (const Widths& widths : {Widths{300, 400, 7}, Widths{3, 2}, Widths{64, 1000, 500, 100}, Widths{9, 9}}) {
    const Network network = random_network(random, widths, 0);
    const auto samples = random_samples(random, widths.front(), 20);
    for (const Kernels* kernels : all_kernels()) {
      const auto outputs = evaluate(PackedNetwork(network, *kernels), pack(samples, 0), 20, workspace);
      EXPECT_EQ(outputs, expected_outputs(network, samples));
    }
  }
}

TEST(PackedInference, ThreadsShareANetwork) {
  Generator random(9);
  const Network network = random_network(random, {40, 200, 128, 30}, 1);
  const auto samples = random_samples(random, 40, 600);
  const auto inputs = pack(samples, kGarbage);
  const auto expected = expected_outputs(network, samples);
  const PackedNetwork packed(network);
  std::vector<std::uint64_t> outputs[2];
  const auto work = [&](std::size_t thread) {
    Workspace workspace;
    for (int repeat = 0; repeat < 50; ++repeat) {
      outputs[thread] = evaluate(packed, inputs, samples.size(), workspace);
    }
  };
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
  EXPECT_EQ(outputs[0], expected);
  EXPECT_EQ(outputs[1], expected);
}

}  // namespace bnnplan
