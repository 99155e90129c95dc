// Bit-sliced inference against the scalar reference: every instruction set of this machine, widths around the
// blocks of eight triples and around powers of two, zero weights, constant neurons, all shifts.
#include "bnnplan/network/sliced_layer.hpp"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace bnnplan {

namespace {

using SlicedRandom = std::mt19937_64;

Layer random_layer(SlicedRandom& random, std::size_t inputs, std::size_t neurons, unsigned zeros) {
  Layer layer;
  for (std::size_t n = 0; n < neurons; ++n) {
    Neuron neuron;
    int present = 0;
    for (std::size_t i = 0; i < inputs; ++i) {
      const bool absent = random() % 8 < zeros;
      neuron.weights.push_back(static_cast<std::int8_t>(absent ? 0 : random() % 2 == 0 ? -1 : 1));
      present += absent ? 0 : 1;
    }
    // Mostly near the middle, where outputs differ; sometimes anywhere, constants too.
    neuron.threshold = n % 4 == 3 ? static_cast<int>(random() % static_cast<unsigned>(present + 4)) - 1
                                  : present / 2 + static_cast<int>(random() % 3);
    layer.neurons.push_back(neuron);
  }
  return layer;
}

bool bit_of(const Plane& plane, std::size_t lane) { return (plane.words[lane / 64] >> (lane % 64) & 1) != 0; }

bool expected(const Neuron& neuron, const std::vector<Plane>& inputs, std::size_t lane, int shift) {
  int agreeing = 0, present = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (neuron.weights[i] == 0) continue;
    ++present;
    if (bit_of(inputs[i], lane) == (neuron.weights[i] > 0)) ++agreeing;
  }
  if (neuron.threshold <= 0) return true;
  if (neuron.threshold > present) return false;
  return agreeing + shift >= neuron.threshold;
}

TEST(SlicedLayer, AgreesWithTheReferenceForEveryWidth) {
  SlicedRandom random(1);
  const std::vector<std::size_t> widths = {1,   2,   3,   4,   5,   7,   10,  13,  16,  19,  22,  24, 25,
                                           29,  30,  31,  32,  33,  48,  52,  62,  63,  64,  65,  72, 96,
                                           126, 127, 128, 129, 254, 255, 256, 257, 300, 511, 512, 513};
  for (const InstructionSet set : instruction_sets()) {
    for (const std::size_t width : widths) {
      for (const unsigned zeros : {0u, 1u, 5u}) {
        const Layer layer = random_layer(random, width, 9, zeros);
        const SlicedLayer sliced(layer, set);
        ASSERT_EQ(sliced.neurons(), 9u);
        std::vector<Plane> inputs(width), sums(sliced.sum_count()), outputs(9);
        std::vector<const Plane*> pointers;
        for (Plane& plane : inputs) {
          // Some lanes have nearly all or nearly no inputs set, where counters are full or empty.
          for (std::uint64_t& word : plane.words) word = random();
          plane.words[0] |= random() | random() | random();
          plane.words[1] &= random() & random() & random();
          pointers.push_back(&plane);
        }
        sliced.add_triples(pointers.data(), sums.data());
        for (int shift = -SlicedLayer::margin; shift <= SlicedLayer::margin; ++shift) {
          sliced.outputs(sums.data(), shift, outputs.data());
          for (std::size_t n = 0; n < 9; ++n) {
            for (std::size_t lane = 0; lane < kPlaneLanes; lane += 5) {
              ASSERT_EQ(bit_of(outputs[n], lane), expected(layer.neurons[n], inputs, lane, shift))
                  << static_cast<int>(set) << ", " << width << " inputs, zeros " << zeros << ", neuron " << n
                  << ", shift " << shift;
            }
          }
        }
      }
    }
  }
}

TEST(SlicedLayer, MatchesExactlyTheLanesWithAllWantedOutputs) {
  SlicedRandom random(2);
  for (const InstructionSet set : instruction_sets()) {
    std::size_t found = 0;
    for (int round = 0; round < 20; ++round) {
      const Layer layer = random_layer(random, 40, 6, 1);
      const SlicedLayer sliced(layer, set);
      std::vector<Plane> inputs(40), sums(sliced.sum_count());
      std::vector<const Plane*> pointers;
      for (Plane& plane : inputs) {
        for (std::uint64_t& word : plane.words) word = random();
        pointers.push_back(&plane);
      }
      std::vector<WantedOutput> wanted;
      for (const std::uint32_t n : {4u, 0u, 2u}) wanted.push_back({n, random() % 2 == 0});
      Plane alive;
      for (std::uint64_t& word : alive.words) word = random();
      const Plane before = alive;
      sliced.add_triples(pointers.data(), sums.data());
      const bool some = sliced.match(sums.data(), wanted, alive);
      std::size_t count = 0;
      for (std::size_t lane = 0; lane < kPlaneLanes; ++lane) {
        bool all = bit_of(before, lane);
        for (const WantedOutput& output : wanted) {
          all = all && expected(layer.neurons[output.neuron], inputs, lane, 0) == output.value;
        }
        ASSERT_EQ(bit_of(alive, lane), all);
        count += all ? 1 : 0;
      }
      EXPECT_EQ(some, count > 0);
      found += count;
    }
    EXPECT_GT(found, 100u) << static_cast<int>(set);
  }
}

TEST(SlicedLayer, PutsWordsIntoPlanesAndBack) {
  SlicedRandom random(3);
  for (const std::size_t count : {1u, 7u, 64u}) {
    std::vector<std::uint64_t> words(2 * count);
    for (std::uint64_t& word : words) word = random();
    std::vector<Plane> planes(50, Plane{});
    put_into_planes(words.data() + 1, 2, count, 3, planes);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      for (std::size_t lane = 0; lane < 64; ++lane) {
        const bool set = lane < count && (words[2 * lane + 1] >> i & 1) != 0;
        ASSERT_EQ(bit_of(planes[i], 3 * 64 + lane), set);
      }
    }
    std::vector<std::uint64_t> back(3 * count, 1);
    take_from_planes(planes, 3, back.data() + 2, 3, count);
    for (std::size_t lane = 0; lane < count; ++lane) {
      EXPECT_EQ(back[3 * lane + 2], words[2 * lane + 1] & ((std::uint64_t{1} << 50) - 1));
      EXPECT_EQ(back[3 * lane], 1u);
    }
  }
}

}  // namespace

}  // namespace bnnplan
