// Every kernel for every instruction set of this machine against plain loops, for all sizes around words and
// registers.
#include "bnnplan/network/column_kernels.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace bnnplan {
namespace {

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513};

std::size_t in_blocks(std::size_t size, std::size_t block) { return (size + block - 1) / block * block; }

template <class Number>
std::vector<Number> random_numbers(std::mt19937& random, std::size_t size, int least, int most) {
  std::vector<Number> numbers(size);
  for (Number& number : numbers)
    number =
        static_cast<Number>(least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1)));
  return numbers;
}

template <class Number, class Add, class Subtract>
void expect_like_a_loop(Add add, Subtract subtract) {
  std::mt19937 random(7);
  constexpr int lowest = std::numeric_limits<Number>::min(), highest = std::numeric_limits<Number>::max();
  for (const std::size_t used : sizes) {
    const std::size_t size = in_blocks(used, 64);
    for (int round = 0; round < 20; ++round) {
      std::vector<Number> counts = random_numbers<Number>(random, size, lowest, highest - 2),
                          deltas = random_numbers<Number>(random, size, 0, 2), limits(size);
      for (std::size_t i = 0; i < size; ++i) {
        const int near = counts[i] + deltas[i] + static_cast<int>(random() % 5) - 2;
        limits[i] = static_cast<Number>(random() % 4 == 0 ? highest : std::clamp(near, lowest, highest));
      }
      const std::vector<Number> before = counts;
      std::vector<std::uint64_t> hits(size / 64, ~std::uint64_t{0});
      const bool any = add(counts.data(), deltas.data(), limits.data(), size, hits.data());
      bool expected_any = false;
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(counts[i], before[i] + deltas[i]);
        const bool hit = deltas[i] != 0 && counts[i] > limits[i];
        ASSERT_EQ((hits[i / 64] >> (i % 64) & 1) != 0, hit) << i;
        expected_any |= hit;
      }
      ASSERT_EQ(any, expected_any);
      subtract(counts.data(), deltas.data(), size);
      ASSERT_EQ(counts, before);
    }
  }
}

TEST(ColumnKernels, CountsAndLimits) {
  for (const InstructionSet set : instruction_sets()) {
    SCOPED_TRACE(static_cast<int>(set));
    const ColumnKernels& kernels = column_kernels(set);
    expect_like_a_loop<std::int8_t>(kernels.add8, kernels.subtract8);
    expect_like_a_loop<std::int16_t>(kernels.add16, kernels.subtract16);
  }
}

TEST(ColumnKernels, SignsOfRows) {
  std::mt19937 random(8);
  for (const InstructionSet set : instruction_sets()) {
    for (const std::size_t count : sizes) {
      const auto counters = random_numbers<std::int8_t>(random, 64, -60, 60),
                 rows = random_numbers<std::int8_t>(random, 64 * count, -60, 60);
      std::vector<std::uint64_t> signs(count + 1, 7);
      column_kernels(set).signs(counters.data(), rows.data(), count, signs.data());
      for (std::size_t i = 0; i < 64 * count; ++i)
        ASSERT_EQ((signs[i / 64] >> i % 64 & 1) != 0, counters[i % 64] < rows[i]) << static_cast<int>(set);
      ASSERT_EQ(signs[count], 7u);
    }
  }
}

// Some columns, and pointers to them.
struct Columns {
  std::vector<std::vector<std::int16_t>> numbers;
  std::vector<const std::int16_t*> pointers;
  void add(std::vector<std::int16_t> column) {
    numbers.push_back(std::move(column));
    pointers.push_back(numbers.back().data());  // which stays where it is
  }
};

TEST(ColumnKernels, ColumnsAreAddedAndChangedSignsListed) {
  std::mt19937 random(1);
  for (const InstructionSet set : instruction_sets()) {
    for (const std::size_t used : sizes) {
      for (std::size_t count = 0; count < 6; ++count) {
        const std::size_t size = in_blocks(used, column_block);
        // Also the ends of the range.
        std::vector<std::int16_t> from = random_numbers<std::int16_t>(random, size, -4, 4), to(size);
        if (size != 0) from[random() % size] = 32'000, from[random() % size] = -32'000;
        Columns columns;
        for (std::size_t i = 0; i < count; ++i)
          columns.add(random_numbers<std::int16_t>(random, size, -4, 4));
        std::vector<std::int16_t> expected_to(size);
        std::vector<std::uint32_t> changed(size), expected;
        for (std::uint32_t i = 0; i < size; ++i) {
          int sum = from[i];
          for (const auto& column : columns.numbers) sum += column[i];
          expected_to[i] = static_cast<std::int16_t>(sum);
          if ((sum < 0) != (from[i] < 0)) expected.push_back(2 * i + (sum >= 0 ? 1 : 0));
        }
        const auto add = column_kernels(set).add_columns;
        changed.resize(add(from.data(), columns.pointers, to.data(), size, changed.data()));
        ASSERT_EQ(to, expected_to) << static_cast<int>(set) << " " << size;
        ASSERT_EQ(changed, expected) << static_cast<int>(set) << " " << size;
        changed.resize(size);  // in place
        changed.resize(add(from.data(), columns.pointers, from.data(), size, changed.data()));
        ASSERT_EQ(from, expected_to);
        ASSERT_EQ(changed, expected);
      }
    }
  }
}

TEST(ColumnKernels, WhatAnyOfTheChangesCanDo) {
  std::mt19937 random(1);
  for (const InstructionSet set : instruction_sets()) {
    for (const std::size_t used : sizes) {
      for (std::size_t count = 0; count < 5; ++count) {
        const std::size_t size = in_blocks(used, column_block);
        const auto counters = random_numbers<std::int16_t>(random, size, -4, 4);
        Columns moves, up, down;
        for (std::size_t c = 0; c < count; ++c) {
          moves.add(random_numbers<std::int16_t>(random, size, -1, 1));
          std::vector<std::int16_t> above = moves.numbers[c], below = above;
          for (std::int16_t& x : above) x = std::max<std::int16_t>(x, 0);
          for (std::int16_t& x : below) x = static_cast<std::int16_t>(x < 0 ? 1 : 0);
          up.add(above);
          down.add(below);
        }
        std::vector<std::uint32_t> expected, uncertain(size);
        for (std::uint32_t i = 0; i < size; ++i) {
          bool below = false, above = false;
          for (std::uint32_t subset = 0; subset < 1u << count; ++subset) {
            int sum = counters[i];
            for (std::size_t c = 0; c < count; ++c) sum += (subset >> c & 1) != 0 ? moves.numbers[c][i] : 0;
            (sum < 0 ? below : above) = true;
          }
          if (below && above) expected.push_back(2 * i + (counters[i] < 0 ? 1 : 0));
        }
        uncertain.resize(
            column_kernels(set).widen(counters.data(), up.pointers, down.pointers, size, uncertain.data()));
        ASSERT_EQ(uncertain, expected) << static_cast<int>(set) << " " << size;
      }
    }
  }
}

}  // namespace
}  // namespace bnnplan
