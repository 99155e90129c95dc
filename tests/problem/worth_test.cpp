// Costs and rewards in words.
#include "bnnplan/problem/worth.hpp"

#include <gtest/gtest.h>

#include "bnnplan/problem/problem_file.hpp"

namespace bnnplan {
namespace {

Problem problem(const std::string& objective) {
  return parse_problem(
      objective + "transitions = [\"x' == a\"]\n[action]\na = \"bool\"\n[state]\nx = \"bool\"\n", "p", ".");
}

TEST(Worth, IsACostOrAReward) {
  const Problem less = problem("minimize = \"0.5 a\"\n"), more = problem("maximize = \"0.5 a\"\n");
  EXPECT_EQ(worth_text(less, 75), "cost 7.5");
  EXPECT_EQ(worth_text(more, -900), "reward 90");
  EXPECT_EQ(worth_text(more, 25), "reward -2.5");
  EXPECT_EQ(worth_text(more, 0), "reward 0");
  EXPECT_EQ(worth_number(more, -25), "2.5");
  EXPECT_EQ(bound_text(less, 25), "no plan costs less than 2.5");
  EXPECT_EQ(bound_text(more, -25), "no plan has a reward above 2.5");
  EXPECT_EQ(worth_text(false, *parse_decimal("12345678901234.567")), "cost 12345678901234.567");
}

TEST(Worth, APromiseIsARewardWhateverTheProblemSpeaksOf) {
  const Problem less = problem("minimize = \"0.5 a\"\n"), more = problem("maximize = \"0.5 a\"\n");
  EXPECT_EQ(promise_text(more, -270, "27"), "");
  EXPECT_EQ(promise_text(more, -270, "63"), "the model promises 27, the domain gives 63");
  EXPECT_EQ(promise_text(less, 25, "-2.5"), "");
  EXPECT_EQ(promise_text(less, 25, "-1/3"), "the model promises -2.5, the domain gives -1/3");
  EXPECT_EQ(promise_text(problem(""), 0, "63"), "") << "without an objective nothing is promised";
}

}  // namespace
}  // namespace bnnplan
