// Incremental inference: any sequence of flips ends where the reference
// inference is.
#include "bnnplan/verify/flip_network.hpp"

#include <gtest/gtest.h>

#include "bnnplan/base/random.hpp"
#include "random_query.hpp"

namespace bnnplan::verification {
namespace {

TEST(FlipNetwork, AnySequenceOfFlips) {
  Random random(2);
  for (int round = 0; round < 500; ++round) {
    testing::RandomQuery random_query = testing::random_query(random, Norm::l1);
    VerifyQuery& query = random_query.query;
    const FlipQuestion question = make_question(random_query.network, query);
    const FlipNetwork network(
        question, instruction_sets()[static_cast<std::size_t>(round) % instruction_sets().size()]);
    FlipNetwork::Scratch scratch = network.scratch();
    FlipState state = network.start(), next(network.state_size());
    Margin margin = network.start_margin();
    FlipSet set;
    ASSERT_EQ(margin >= 0, is_classified_otherwise(random_query.network, query, query.values));
    if (question.flips.empty()) continue;
    for (int step = 0; step < 12; ++step) {
      const auto flip = static_cast<std::uint32_t>(random.below(question.flips.size()));
      const auto there = std::find(set.begin(), set.end(), flip);
      const std::uint32_t input = question.flips[flip].input;
      const bool bit = (question.bits[input] != 0) == (there != set.end());
      const bool in_place = random.below(2) == 0;
      margin = network.flip(input, bit, state.data(), margin, in_place ? state.data() : next.data(), scratch);
      if (!in_place) state = next;
      if (there != set.end()) {
        set.erase(there);
      } else {
        set.push_back(flip);
      }
      ASSERT_EQ(margin >= 0,
                is_classified_otherwise(random_query.network, query, changed_values(question, set)));
    }
  }
}

TEST(FlipNetwork, NoneForCountersBeyond16Bits) {
  Network network;
  network.inputs.resize(40'000);
  EXPECT_FALSE(FlipNetwork::is_possible(network));
  network.inputs.resize(100);
  EXPECT_TRUE(FlipNetwork::is_possible(network));
  network.layers.resize(1);
  network.layers[0].neurons.resize(40'000);
  EXPECT_FALSE(FlipNetwork::is_possible(network));
}

}  // namespace
}  // namespace bnnplan::verification
