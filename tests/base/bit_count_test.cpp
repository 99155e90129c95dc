#include "bnnplan/base/bit_count.hpp"

#include <gtest/gtest.h>

#include "bnnplan/base/random.hpp"

namespace bnnplan {
namespace {

TEST(BitCount, IsThatOfTheLibrary) {
  EXPECT_EQ(count_ones(0), 0);
  EXPECT_EQ(count_ones(~std::uint64_t{0}), 64);
  for (int i = 0; i < 64; ++i) EXPECT_EQ(count_ones(std::uint64_t{1} << i), 1);
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t word = random.next();
    ASSERT_EQ(count_ones(word), std::popcount(word)) << word;
  }
}

}  // namespace
}  // namespace bnnplan
