#include "bnnplan/discover/analogy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan::discovery {
namespace {

// A row of cells at[c1] to at[cN], and left and right.
Problem row_of_cells(int cells) {
  std::string text = "horizon = 3\n[action]\nleft = \"bool\"\nright = \"bool\"\n[state]\n",
              initial = "[initial]\n";
  for (int i = 1; i <= cells; ++i) {
    text += fmt::format("\"at[c{}]\" = \"bool\"\n", i);
    initial += fmt::format("\"at[c{}]\" = {}\n", i, i == 1);
  }
  return parse_open_problem(text + initial, "cells.toml", ".");
}

BitValues at(int cell, int cells) {
  BitValues bits(static_cast<std::size_t>(cells));
  bits[static_cast<std::size_t>(cell - 1)] = 1;
  return bits;
}

const BitValues left{1, 0}, right{0, 1}, none{0, 0};

bool learn(Analogy& analogy, const WorldFacts& facts) { return analogy.learn(facts, 1, nullptr); }

TEST(Analogy, NothingChangesAsLongAsNothingWasSeen) {
  const Analogy analogy(row_of_cells(4));
  EXPECT_EQ(analogy.next(at(2, 4), right), at(2, 4));
}

TEST(Analogy, AMoveIsTheSameElsewhere) {
  constexpr int cells = 9;
  const Problem problem = row_of_cells(cells);
  Analogy analogy(problem);
  WorldFacts facts(problem);
  facts.add(at(4, cells), right, at(5, cells));
  facts.add(at(5, cells), left, at(4, cells));
  facts.add(at(5, cells), none, at(5, cells));
  ASSERT_TRUE(learn(analogy, facts));
  for (int cell = 2; cell < cells; ++cell) {
    EXPECT_EQ(analogy.next(at(cell, cells), right), at(cell + 1, cells)) << cell;
    EXPECT_EQ(analogy.next(at(cell, cells), left), at(cell - 1, cells)) << cell;
    EXPECT_EQ(analogy.next(at(cell, cells), none), at(cell, cells)) << cell;
  }
  // A wall is where it was seen, and nowhere else.
  facts.add(at(6, cells), right, at(6, cells));
  ASSERT_TRUE(learn(analogy, facts));
  EXPECT_EQ(analogy.next(at(6, cells), right), at(6, cells));
  EXPECT_EQ(analogy.next(at(4, cells), right), at(5, cells));
}

// All facts are explained, whatever they are: the rules are a covering.
TEST(Analogy, IsRightOnEverythingSeen) {
  const Problem problem = parse_open_problem(
      "horizon = 3\n[action]\ngo = \"bool\"\nback = \"bool\"\n[state]\nn = { bits = 3 }\nm = { bits = 3 "
      "}\nl1 = "
      "\"bool\"\nl2 = \"bool\"\n"
      "[initial]\nn = 0\nm = 0\nl1 = false\nl2 = false\n",
      "numbers.toml", ".");
  WorldFacts facts(problem);
  Analogy analogy(problem);
  for (unsigned i = 0; i < 256; i += 3) {
    for (unsigned a = 0; a < 4; ++a) {
      BitValues state, next, action{static_cast<BitValue>(a & 1), static_cast<BitValue>(a >> 1)};
      const unsigned to = (i * 37 + a * 11 + (i ^ a)) % 256;  // without any sense
      for (unsigned bit = 0; bit < 8; ++bit) {
        state.push_back(static_cast<BitValue>((i >> bit) & 1));
        next.push_back(static_cast<BitValue>((to >> bit) & 1));
      }
      facts.add(state, action, next);
    }
  }
  ASSERT_TRUE(learn(analogy, facts));
  for (std::size_t i = 0; i < facts.size(); ++i)
    ASSERT_EQ(analogy.next(facts[i].state, facts[i].action), facts[i].next) << i;
}

TEST(Analogy, NumbersChangeByAnAmountAndCompare) {
  const Problem problem = parse_open_problem(
      "horizon = 3\n[action]\ngo = \"bool\"\n[state]\nn = { bits = 4 }\nm = { bits = 4 }\n[initial]\nn = "
      "0\nm = "
      "5\n",
      "numbers.toml", ".");
  WorldFacts facts(problem);
  Analogy analogy(problem);
  const auto state = [](unsigned n, unsigned m) {
    BitValues bits;
    for (const unsigned value : {n, m}) {
      for (unsigned bit = 0; bit < 4; ++bit) bits.push_back(static_cast<BitValue>((value >> bit) & 1));
    }
    return bits;
  };
  // n goes up; m runs after it.
  facts.add(state(0, 5), {1}, state(1, 4));
  facts.add(state(1, 4), {1}, state(2, 3));
  facts.add(state(2, 0), {1}, state(3, 1));
  facts.add(state(2, 3), {0}, state(2, 2));
  facts.add(state(2, 2), {0}, state(2, 2));
  ASSERT_TRUE(learn(analogy, facts));
  EXPECT_EQ(analogy.next(state(7, 10), {1}), state(8, 9));
  EXPECT_EQ(analogy.next(state(7, 10), {0}), state(7, 9));
  EXPECT_EQ(analogy.next(state(15, 11), {1})[3], 1) << "no number beyond the largest";
}

}  // namespace
}  // namespace bnnplan::discovery
