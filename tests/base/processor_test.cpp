// Variants of a function: which one is chosen, and that each computes what the function does.
#include "bnnplan/base/processor.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace bnnplan {
namespace {

TEST(Processor, SetsBeginWithPortableAndEndWithTheBest) {
  ASSERT_FALSE(instruction_sets().empty());
  EXPECT_EQ(instruction_sets().front(), InstructionSet::portable);
  EXPECT_EQ(instruction_sets().back(), best_instruction_set());
}

TEST(Processor, TheLastVariantIsForAllSetsAfterItsOwn) {
  const std::string portable = "portable", avx2 = "avx2", avx512 = "avx512";
  const auto selected = [&](InstructionSet set) { return select(set, portable, avx2, avx512); };
  EXPECT_EQ(selected(InstructionSet::portable), portable);
  EXPECT_EQ(selected(InstructionSet::avx2), avx2);
  EXPECT_EQ(selected(InstructionSet::avx512), avx512);
  EXPECT_EQ(selected(InstructionSet::avx512_popcount), avx512);
  EXPECT_EQ(select(InstructionSet::avx512, portable), portable);
}

[[gnu::always_inline]] inline void add_to_each(const int* from, std::size_t count, int* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

TEST(Processor, EveryVariantComputesTheSame) {
  using Loop = Compiled<add_to_each>;
  for (const InstructionSet set : instruction_sets()) {
    for (const std::size_t count : {0u, 1u, 63u, 64u, 65u, 255u, 256u, 257u, 511u, 512u, 513u}) {
      std::vector<int> from(count), to(count);
      for (std::size_t i = 0; i < count; ++i) from[i] = static_cast<int>(i), to[i] = 7;
      select(set, Loop::portable, Loop::avx2, Loop::avx512)(from.data(), count, to.data());
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(to[i], static_cast<int>(i) + 7);
    }
  }
}

}  // namespace
}  // namespace bnnplan
