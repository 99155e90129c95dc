// Every encoding of a neuron: all n <= 6, all thresholds, all assignments, both implications; and all partial
// assignments for those that claim to be propagation complete.

#include "bnnplan/encode/neuron_encoding.hpp"

#include <bit>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "encode/constraint_check.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan::encoding {
namespace {

// Inputs 1..n with signs from `negated`, output 0.
ReifiedAtLeast neuron_of(int n, int threshold, std::uint32_t negated) {
  ReifiedAtLeast neuron{Lit::of({0}, (negated & 1) != 0), {}, threshold};
  for (std::uint32_t i = 1; i <= static_cast<std::uint32_t>(n); ++i) {
    neuron.inputs.push_back(Lit::of({i}, (negated >> i % 32 & 1) != 0));
  }
  return neuron;
}

std::vector<Lit> literals_of(const ReifiedAtLeast& neuron) {
  std::vector<Lit> literals = neuron.inputs;
  literals.push_back(neuron.output);
  return literals;
}

Allowed meaning_of(const ReifiedAtLeast& neuron, Implication implication) {
  const auto n = neuron.inputs.size();
  return [n, threshold = neuron.threshold, implication](std::uint32_t assignment) {
    const bool output = (assignment >> n & 1) != 0;
    return allows(implication, output, std::popcount(assignment & ((1u << n) - 1)) >= threshold);
  };
}

class NeuronEncodings : public ::testing::TestWithParam<NeuronEncodingInfo> {};

TEST_P(NeuronEncodings, AreExactAndPropagateAsClaimed) {
  const NeuronEncodingInfo& info = GetParam();
  const bool one_sided = info.encoding != NeuronEncoding::published && info.encoding != NeuronEncoding::adder;
  for (int n = 0; n <= 6; ++n) {
    for (int threshold = -1; threshold <= n + 2; ++threshold) {
      for (const Implication implication : every_implication) {
        if (implication != Implication::both && !one_sided) continue;
        const ReifiedAtLeast neuron =
            neuron_of(n, threshold, 0b1011001u * static_cast<std::uint32_t>(threshold + 2));
        CollectingSink formula({static_cast<std::uint32_t>(n) + 1});
        encode_neuron(neuron, {info.encoding, 3}, implication, formula);
        ConstraintCheck check(formula, literals_of(neuron), meaning_of(neuron, implication));
        SCOPED_TRACE(std::string(info.name) + " n=" + std::to_string(n) + " k=" + std::to_string(threshold) +
                     " implication " + std::to_string(static_cast<int>(implication)));
        ASSERT_TRUE(check.is_exact());
        if (info.propagation_complete) {
          ASSERT_TRUE(check.is_propagation_complete());
        }
      }
    }
  }
}

// Larger neurons, where the recursions are deep: random partial assignments on the edge of implying
// something.
TEST_P(NeuronEncodings, PropagateInLargeNeurons) {
  const NeuronEncodingInfo& info = GetParam();
  if (!info.propagation_complete) return;
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const int n = 7 + static_cast<int>(random() % (info.encoding == NeuronEncoding::direct ? 6 : 40));
    const int k = 1 + static_cast<int>(random() % static_cast<unsigned>(n));
    const ReifiedAtLeast neuron = neuron_of(n, k, static_cast<std::uint32_t>(random()) & 0x7FFFFFFu);
    CollectingSink formula({static_cast<std::uint32_t>(n) + 1});
    encode_neuron(neuron, {info.encoding, static_cast<int>(random() % 8)}, Implication::both, formula);
    UnitPropagation propagation(formula, formula.variables());
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Lit> inputs = neuron.inputs;
      std::shuffle(inputs.begin(), inputs.end(), random);
      const std::span all(inputs);
      const auto count = static_cast<std::size_t>(k);
      // k true inputs: output. One fewer and no output: the others are false.
      ASSERT_TRUE(propagation.assume(all.first(count)));
      ASSERT_TRUE(propagation.is_true(neuron.output));
      std::vector<Lit> assumed(all.begin(), all.begin() + k - 1);
      assumed.push_back(~neuron.output);
      ASSERT_TRUE(propagation.assume(assumed));
      for (const Lit input : all.subspan(count - 1)) ASSERT_TRUE(propagation.is_false(input));
      // The same from below, with n-k false inputs.
      assumed.assign(1, neuron.output);
      for (const Lit input : all.subspan(count)) assumed.push_back(~input);
      ASSERT_TRUE(propagation.assume(assumed));
      for (const Lit input : all.first(count)) ASSERT_TRUE(propagation.is_true(input));
      assumed.erase(assumed.begin());
      assumed.push_back(~all[count - 1]);
      ASSERT_TRUE(propagation.assume(assumed));
      ASSERT_TRUE(propagation.is_false(neuron.output));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, NeuronEncodings,
                         ::testing::ValuesIn(neuron_encodings().begin(), neuron_encodings().end()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(NeuronEncoding, TableIsInOrderAndNamesAreFound) {
  for (const NeuronEncodingInfo& info : neuron_encodings()) {
    EXPECT_EQ(&describe(info.encoding), &info);
    EXPECT_EQ(neuron_encoding_named(info.name), info.encoding);
  }
  EXPECT_EQ(neuron_encoding_named("nothing"), std::nullopt);
}

TEST(NeuronEncoding, AutomaticIsNeverDearerThanAnother) {
  for (const int n : {2, 3, 5, 8, 13, 40, 90}) {
    for (int k = 0; k <= n + 1; ++k) {
      CountingSink automatic;
      encode_neuron(neuron_of(n, k, 0), {NeuronEncoding::automatic, 3}, Implication::both, automatic);
      for (const NeuronEncodingInfo& info : neuron_encodings()) {
        if (!info.propagation_complete || (info.encoding == NeuronEncoding::direct && n > 13)) continue;
        CountingSink other;
        encode_neuron(neuron_of(n, k, 0), {info.encoding, 3}, Implication::both, other);
        EXPECT_LE(automatic.size().price(3), other.size().price(3)) << info.name << " n=" << n << " k=" << k;
      }
    }
  }
}

TEST(NeuronEncoding, OneImplicationTakesAboutHalfOfTheClauses) {
  for (const NeuronEncoding encoding :
       {NeuronEncoding::totalizer, NeuronEncoding::network, NeuronEncoding::mixed}) {
    CountingSink both, one;
    encode_neuron(neuron_of(20, 10, 0), {encoding, 3}, Implication::both, both);
    encode_neuron(neuron_of(20, 10, 0), {encoding, 3}, Implication::from_output, one);
    EXPECT_LE(one.size().clauses, both.size().clauses * 3 / 5);
  }
}

// The size of `direct` is known beforehand, so nothing is written that does not fit in memory.
TEST(NeuronEncoding, DirectIsRefusedByItsSize) {
  const auto error = [](std::vector<ReifiedAtLeast> layer, std::size_t bytes) {
    CountingSink sink;
    const std::string text = testing::input_error_of([&] {
      encode_layer(layer, {NeuronEncoding::direct, 3, bytes}, sink);
    });
    EXPECT_EQ(sink.size(), EncodingSize());
    return text;
  };
  EXPECT_EQ(error({neuron_of(200, 100, 0)}, 0),
            "the encoding 'direct' takes about 10^59 clauses for a neuron of up to 200 inputs, more than fit "
            "into memory: try the encoding 'auto'");
  EXPECT_EQ(error({neuron_of(1000000, 500000, 0)}, 0),
            "the encoding 'direct' takes about 10^301027 clauses for a neuron of up to 1000000 inputs, more "
            "than fit into memory: try the encoding 'auto'");
  // C(5, 2) + C(5, 4) = 15 clauses of 3 and 5 literals for each neuron: 10 (8 + 12) + 5 (8 + 20) bytes.
  const std::vector<ReifiedAtLeast> small = {neuron_of(5, 2, 0), neuron_of(5, 4, 0)};
  CountingSink enough;
  encode_layer(small, {NeuronEncoding::direct, 3, 680}, enough);
  EXPECT_EQ(enough.size().clauses, 30);
  EXPECT_EQ(error(small, 679),
            "the encoding 'direct' takes 30 clauses for 2 neurons of up to 5 inputs, more than fit into "
            "memory: try the encoding 'auto'");
  CountingSink half;
  encode_neuron(small[0], {NeuronEncoding::direct, 3, 200}, Implication::to_output, half);
  EXPECT_EQ(half.size().clauses, 10) << "one implication is half as much";
}

TEST(CountingSink, StopsAboveItsBudget) {
  CountingSink sink(3, 10);
  sink.new_variable();
  for (int i = 0; i < 7; ++i) sink.add({Lit{}});
  EXPECT_THROW(sink.add({Lit{}}), BudgetExhausted);
}

}  // namespace
}  // namespace bnnplan::encoding
