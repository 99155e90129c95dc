// Discounts: what the steps of a problem count, exactly and rounded, in files and in messages.
#include "bnnplan/problem/step_weights.hpp"

#include <gtest/gtest.h>

#include "bnnplan/problem/problem_file.hpp"
#include "support/input_error_of.hpp"

namespace bnnplan {
namespace {

using testing::input_error_of;

std::string text_of(const std::string& more, int horizon) {
  return "horizon = " + std::to_string(horizon) + "\nmaximize = \"2 x'\"\n" + more +
         "transitions = [\"x' == a\"]\n[action]\na = \"bool\"\n[state]\nx = \"bool\"\n[initial]\nx = 0\n";
}

Problem problem_of(const std::string& more, int horizon) {
  return parse_problem(text_of(more, horizon), "p.toml", ".");
}

using Weights = std::vector<std::int64_t>;

TEST(StepWeights, OfNoDiscountAreOne) {
  const Problem problem = problem_of("", 3);
  EXPECT_FALSE(is_discounted(problem));
  EXPECT_TRUE(step_weights(problem).empty());
  EXPECT_EQ(step_weights(problem).of(3), 1);
  EXPECT_EQ(total_weight(step_weights(problem), 3), 3);
  EXPECT_EQ(cost_decimals(problem), 0);
  EXPECT_FALSE(is_discounted(problem_of("discount = \"1.0\"\n", 3)));
}

TEST(StepWeights, AreExactPowers) {
  const Problem problem = problem_of("discount = \"0.9\"\n", 4);
  const StepWeights weights = step_weights(problem);
  EXPECT_EQ(weights.weights, (Weights{1000, 900, 810, 729}));
  EXPECT_EQ(weights.decimals, 3);
  EXPECT_EQ(total_weight(weights, 4), 3439);
  EXPECT_EQ(to_string(cost_in_units(problem, 2 * 729)), "1.458");
  EXPECT_EQ(step_weights(problem_of("discount = \"0.25\"\n", 3)).weights, (Weights{10000, 2500, 625}));
  EXPECT_EQ(step_weights(problem_of("discount = \"0.5\"\n", 1)).weights, (Weights{1}));
  EXPECT_EQ(step_weights(problem_of("discount = \"0.9\"\n", 17)).decimals, 16);
}

TEST(StepWeights, AreRoundedToTheDigitsThatAreSaid) {
  // 1, 0.9, 0.81, 0.729, 0.6561
  const StepWeights weights = step_weights(problem_of("discount = \"0.9\"\ndiscount-digits = 2\n", 5));
  EXPECT_EQ(weights.weights, (Weights{100, 90, 81, 73, 66}));
  // 1, 0.75, 0.5625, 0.421875, 0.31640625: each from the exact power, not from the rounded one before it
  EXPECT_EQ(step_weights(problem_of("discount = \"0.75\"\ndiscount-digits = 1\n", 5)).weights,
            (Weights{10, 8, 6, 4, 3}));
  EXPECT_EQ(step_weights(problem_of("discount = \"0.5\"\ndiscount-digits = 2\n", 5)).weights,
            (Weights{100, 50, 25, 13, 6}))
      << "halves up";
  const StepWeights many = step_weights(problem_of("discount = \"0.95\"\ndiscount-digits = 9\n", 200));
  EXPECT_EQ(many.of(6), 773780938) << "0.7737809375, up";
  double exact = 1;
  for (int t = 1; t <= 200; ++t, exact *= 0.95)
    EXPECT_NEAR(static_cast<double>(many.of(t)), exact * 1e9, 0.5 + 1e-5) << t;
  EXPECT_EQ(step_weights(problem_of("discount = \"0.999999\"\ndiscount-digits = 12\n", 100'000)).of(100'000),
            904838277632);
}

TEST(StepWeights, FilesAreReadAndWritten) {
  for (const std::string more : {"", "discount = \"0.9\"\n", "discount = \"0.95\"\ndiscount-digits = 6\n"}) {
    const Problem problem = problem_of(more, 5);
    const std::string text = problem_text(problem);
    EXPECT_EQ(parse_problem(text, "p.toml", "."), problem) << text;
    EXPECT_NE(text.find(more), std::string::npos) << text;
  }
}

TEST(StepWeights, MessagesOfBadOnes) {
  const auto error = [](const std::string& more, int horizon) {
    return input_error_of([&] { problem_of(more, horizon); });
  };
  for (const std::string number : {"0", "1.1", "-0.5", "high", "1e99999999999999999999", ""}) {
    EXPECT_EQ(error("discount = \"" + number + "\"\n", 3),
              "p.toml:3: discount '" + number +
                  "', expected a number above 0 and at most 1, such "
                  "as \"0.9\"");
  }
  EXPECT_EQ(error("discount = 0.9\n", 3), "p.toml:3: 'discount' is floating-point, expected a string");
  EXPECT_EQ(error("discount-digits = 3\n", 3), "p.toml:3: 'discount-digits' without a 'discount'");
  EXPECT_EQ(error("reward-multiple = 0\n", 3), "p.toml:3: 'reward-multiple' is not a whole number above 0");
  for (const std::string digits : {"0", "18", "\"3\""}) {
    EXPECT_EQ(error("discount = \"0.9\"\ndiscount-digits = " + digits + "\n", 3),
              "p.toml:4: 'discount-digits' is not a whole number from 1 to 17");
  }
  EXPECT_EQ(
      error("discount = \"0.9\"\n", 40),
      "p.toml:1: a discount of 0.9 over 40 steps has weights of 39 decimals, expected at most 18 (a shorter "
      "horizon, or rounded weights: 'discount-digits', or the discount option of compile)");
  EXPECT_EQ(error("discount = \"0.9\"\n", 19),
            "p.toml:1: the objective is too large: with a discount of 0.9 over 19 steps its sum does not fit "
            "into 62 "
            "bits, expected a shorter horizon or rounded weights ('discount-digits', or the discount option "
            "of compile)");
  EXPECT_EQ(
      error("discount = \"0.1\"\ndiscount-digits = 2\n", 5),
      "p.toml:1: a discount of 0.1 rounded to 2 decimals is 0 at step 4: expected more digits or a shorter "
      "horizon");
}

}  // namespace
}  // namespace bnnplan
