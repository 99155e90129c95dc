// The heap against a plain search for the most active variable, beyond the point where activities are scaled
// down so often that many of them are 0.
#include "bnnplan/cdcl/activity_heap.hpp"

#include <random>

#include <gtest/gtest.h>

namespace bnnplan::cdcl {
namespace {

TEST(ActivityHeap, IsInOrderWhateverHappens) {
  std::mt19937 random(5);
  ActivityHeap heap;
  constexpr std::uint32_t variables = 60;
  for (std::uint32_t v = 0; v < variables; ++v) {
    heap.add_variable(v % 3 != 0);
    heap.set_activity({v}, static_cast<double>(random() % 1000) * 1e-9);
  }
  ASSERT_TRUE(heap.in_order());
  for (int round = 0; round < 40'000; ++round) {  // eight times or so 1e100
    // The last third is never bumped.
    heap.bump({static_cast<std::uint32_t>(random() % (variables * 2 / 3))});
    heap.decay(0.95);
    if (round % 7 == 0 && !heap.empty()) {
      const Var top = heap.top();
      heap.pop();
      ASSERT_FALSE(heap.contains(top));
    }
    if (round % 5 == 0) heap.insert({static_cast<std::uint32_t>(random() % variables)});
    ASSERT_TRUE(heap.in_order()) << round;
  }
}

TEST(ActivityHeap, EqualActivitiesInTheOrderOfTheVariables) {
  ActivityHeap heap;
  for (std::uint32_t v = 0; v < 20; ++v) heap.add_variable(false);
  for (std::uint32_t v = 20; v-- > 0;) heap.insert({v});
  heap.bump({13});
  EXPECT_EQ(heap.top().index, 13u);
  heap.pop();
  for (std::uint32_t v = 0; v < 20; ++v) {
    if (v == 13) continue;
    EXPECT_EQ(heap.top().index, v);
    heap.pop();
  }
  EXPECT_TRUE(heap.empty());
}

}  // namespace
}  // namespace bnnplan::cdcl
