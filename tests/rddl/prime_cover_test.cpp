#include "bnnplan/rddl/compile/prime_cover.hpp"

#include <random>

#include <gtest/gtest.h>

namespace bnnplan::rddl {
namespace {

bool covers(const Cube& cube, std::size_t row) { return (row & cube.mask) == cube.values; }

bool implicant(const Cube& cube, const TruthTable& upper) {
  for (std::size_t row = 0; row < upper.rows(); ++row) {
    if (covers(cube, row) && !upper[row]) return false;
  }
  return true;
}

// Covers the lower bound, stays within the upper one, every cube prime, none redundant.
void check(const TruthTable& lower, const TruthTable& upper) {
  const auto cubes = prime_cover(lower, upper, 100'000);
  ASSERT_TRUE(cubes);
  std::vector<int> times(lower.rows(), 0);
  for (const Cube& cube : *cubes) {
    EXPECT_EQ(cube.values & ~cube.mask, 0u);
    EXPECT_TRUE(implicant(cube, upper));
    for (std::uint32_t bit = 1; bit < lower.rows(); bit <<= 1) {
      if ((cube.mask & bit) != 0) {
        EXPECT_FALSE(implicant({cube.mask & ~bit, cube.values & ~bit}, upper));
      }
    }
    for (std::size_t row = 0; row < lower.rows(); ++row) times[row] += covers(cube, row) ? 1 : 0;
  }
  for (std::size_t row = 0; row < lower.rows(); ++row) {
    EXPECT_TRUE(!lower[row] || times[row] >= 1);
    EXPECT_TRUE(upper[row] || times[row] == 0);
  }
  for (const Cube& cube : *cubes) {
    bool needed = false;
    for (std::size_t row = 0; row < lower.rows(); ++row) {
      needed = needed || (lower[row] && covers(cube, row) && times[row] == 1);
    }
    EXPECT_TRUE(needed);
  }
}

TEST(PrimeCover, AllBoundsOfUpToThreeInputs) {
  for (int inputs = 0; inputs <= 3; ++inputs) {
    const std::size_t rows = std::size_t{1} << inputs;
    std::size_t combinations = 1;
    for (std::size_t row = 0; row < rows; ++row) combinations *= 3;  // off, on, don't care
    for (std::size_t code = 0; code < combinations; ++code) {
      TruthTable lower(inputs), upper(inputs);
      std::size_t rest = code;
      for (std::size_t row = 0; row < rows; ++row, rest /= 3) {
        if (rest % 3 == 1) lower.set(row);
        if (rest % 3 != 0) upper.set(row);
      }
      check(lower, upper);
    }
  }
}

TEST(PrimeCover, RandomFunctionsWithDontCares) {
  std::mt19937_64 random(7);
  for (int inputs = 4; inputs <= 9; ++inputs) {
    for (int round = 0; round < 12; ++round) {
      TruthTable lower(inputs), upper(inputs);
      for (std::size_t row = 0; row < lower.rows(); ++row) {
        const auto draw = random() % 10;
        if (draw < 3) lower.set(row);
        if (draw < static_cast<unsigned>(3 + round / 2)) upper.set(row);
      }
      check(lower, upper);
    }
  }
}

TEST(PrimeCover, LargeStructuredFunction) {
  // x0 x1 + x2 x3 + ... over 20 inputs: ten cubes.
  TruthTable table(20);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if ((row & (row >> 1) & 0x55555) != 0) table.set(row);
  }
  const auto cubes = prime_cover(table, table, 1000);
  ASSERT_TRUE(cubes);
  EXPECT_EQ(cubes->size(), 10u);
}

TEST(PrimeCover, LimitIsKept) {
  TruthTable parity(10);
  for (std::size_t row = 0; row < parity.rows(); ++row) {
    if (__builtin_popcountll(row) % 2 == 1) parity.set(row);
  }
  EXPECT_FALSE(prime_cover(parity, parity, 511));
  EXPECT_EQ(prime_cover(parity, parity, 512)->size(), 512u);
}

}  // namespace
}  // namespace bnnplan::rddl
