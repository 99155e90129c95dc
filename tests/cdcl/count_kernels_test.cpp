// The vector kernels against a plain loop, 8 and 16 bits, at and around the thresholds.
#include "bnnplan/cdcl/count_kernels.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace bnnplan::cdcl {
namespace {

template <class Count, class Add, class Subtract>
void expect_like_a_loop(Add add, Subtract subtract) {
  std::mt19937 random(7);
  for (const std::size_t size : {64u, 128u, 192u, 1024u}) {
    std::vector<Count> counts(size), deltas(size), thresholds(size);
    for (int round = 0; round < 50; ++round) {
      for (std::size_t i = 0; i < size; ++i) {
        counts[i] = static_cast<Count>(random() % 200);
        deltas[i] = static_cast<Count>(random() % 3);
        const int near = static_cast<int>(random() % 5) - 2;
        thresholds[i] = static_cast<Count>(random() % 4 == 0 ? ~Count{0} : counts[i] + deltas[i] + near);
      }
      const std::vector<Count> before = counts;
      std::vector<std::uint64_t> hits(size / count_block, ~std::uint64_t{0});
      const bool any = add(counts.data(), deltas.data(), thresholds.data(), size, hits.data());
      bool expected_any = false;
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(counts[i], before[i] + deltas[i]);
        const bool hit = deltas[i] != 0 && counts[i] >= thresholds[i];
        ASSERT_EQ((hits[i / 64] >> (i % 64) & 1) != 0, hit) << i;
        expected_any |= hit;
      }
      ASSERT_EQ(any, expected_any);
      subtract(counts.data(), deltas.data(), size);
      ASSERT_EQ(counts, before);
    }
  }
}

TEST(CountKernels, AgreeWithALoop) {
  for (const CountKernels* kernels : {&portable_count_kernels(), &best_count_kernels()}) {
    SCOPED_TRACE(kernels->name);
    expect_like_a_loop<std::uint8_t>(kernels->add8, kernels->subtract8);
    expect_like_a_loop<std::uint16_t>(kernels->add16, kernels->subtract16);
  }
}

}  // namespace
}  // namespace bnnplan::cdcl
