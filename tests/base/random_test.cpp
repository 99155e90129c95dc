// What a seed gives is a promise to everybody who wrote one down: these numbers never change.
#include "bnnplan/base/random.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace bnnplan {
namespace {

TEST(Random, GivesTheSameNumbersForever) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
  SimulationRandom simulation;
  simulation.discard(9999);
  EXPECT_EQ(simulation(), 9981545732273789042u) << "the number that the standard states";
}

TEST(Random, BelowIsBelow) {
  Random random(1);
  SimulationRandom simulation(1);
  std::vector<int> drawn(5), simulated(5);
  for (int i = 0; i < 1000; ++i) {
    ++drawn.at(random.below(5));
    ++simulated.at(random_below(simulation, 5));
    const float symmetric = random.symmetric();
    EXPECT_TRUE(symmetric >= -1 && symmetric < 1) << symmetric;
  }
  for (int value = 0; value < 5; ++value) {
    EXPECT_NEAR(drawn[static_cast<std::size_t>(value)], 200, 60);
    EXPECT_NEAR(simulated[static_cast<std::size_t>(value)], 200, 60);
  }
  EXPECT_EQ(random_below(simulation, 1), 0u);
}

TEST(Random, ShuffleKeepsWhatIsThere) {
  std::vector<int> items = {0, 1, 2, 3, 4, 5, 6, 7};
  Random random(3);
  shuffle(items, random);
  const std::vector<int> shuffled = items;
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_NE(shuffled, items);
  Random again(3);
  shuffle(items, again);
  EXPECT_EQ(items, shuffled);
}

}  // namespace
}  // namespace bnnplan
