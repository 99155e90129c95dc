// Linear constraints: normal forms, and every encoding over all assignments of random small constraints, hard
// and reified, with propagation where it is claimed.

#include "bnnplan/encode/linear_encoding.hpp"

#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/encode/at_most_one.hpp"
#include "encode/constraint_check.hpp"

namespace bnnplan::encoding {
namespace {

Lit x(std::uint32_t v) { return Lit::positive({v}); }

std::int64_t value(const std::vector<WeightedLit>& terms, std::uint32_t assignment) {
  std::int64_t sum = 0;
  for (const WeightedLit& term : terms) {
    const bool is_true = ((assignment >> term.literal.var().index & 1) != 0) != term.literal.negated();
    if (is_true) sum += term.coefficient;
  }
  return sum;
}

bool holds(const LinearRow& constraint, std::uint32_t assignment) {
  const std::int64_t sum = value(constraint.terms, assignment);
  switch (constraint.comparison) {
    case Comparison::at_least:
      return sum >= constraint.bound;
    case Comparison::at_most:
      return sum <= constraint.bound;
    case Comparison::equal:
      return sum == constraint.bound;
  }
  return false;
}

LinearRow random_constraint(std::uint32_t variables, int largest, std::mt19937& random) {
  LinearRow constraint;
  for (std::uint32_t v = 0; v < variables; ++v) {
    const auto coefficient =
        static_cast<std::int64_t>(random() % static_cast<unsigned>(2 * largest + 1)) - largest;
    constraint.terms.push_back({coefficient, Lit::of({v}, random() % 2 == 0)});
  }
  if (random() % 4 == 0) constraint.terms.push_back({2, x(random() % variables)});
  constraint.comparison = static_cast<Comparison>(random() % 3);
  // A bound that some assignment meets, most of the time.
  constraint.bound = value(constraint.terms, static_cast<std::uint32_t>(random())) +
                     static_cast<std::int64_t>(random() % 3) - 1;
  return constraint;
}

std::vector<Lit> first_variables(std::uint32_t count) {
  std::vector<Lit> literals;
  for (std::uint32_t v = 0; v < count; ++v) literals.push_back(x(v));
  return literals;
}

class LinearEncodings : public ::testing::TestWithParam<LinearEncodingInfo> {};

TEST_P(LinearEncodings, HardConstraintsAreExactAndPropagateAsClaimed) {
  std::mt19937 random(23);
  for (int round = 0; round < 600; ++round) {
    const auto n = static_cast<std::uint32_t>(1 + round % 6);
    const LinearRow constraint = random_constraint(n, 1 + round % 9, random);
    CollectingSink formula({n});
    encode_linear(constraint, {GetParam().encoding, NeuronEncoding::automatic, 3, 1000}, formula);
    ConstraintCheck check(formula, first_variables(n), [&](std::uint32_t a) { return holds(constraint, a); });
    SCOPED_TRACE(std::string(GetParam().name) + " round " + std::to_string(round));
    ASSERT_TRUE(check.is_exact());
    // Nothing short of enumeration propagates all that an equation implies.
    if (GetParam().propagation_complete && constraint.comparison != Comparison::equal) {
      ASSERT_TRUE(check.is_propagation_complete());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LinearEncodings,
                         ::testing::ValuesIn(linear_encodings().begin(), linear_encodings().end()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(LinearEncodings, TakeCoefficientsOfAnySize) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 60;
  const std::vector<WeightedLit> terms{{2 * kLarge + 1, x(0)}, {2 * kLarge, ~x(1)}, {kLarge + 3, x(2)},
                                       {2 * kLarge - 1, x(3)}, {5, x(4)},           {kLarge - 9, x(5)}};
  std::mt19937 random(31);
  for (int round = 0; round < 40; ++round) {
    const LinearRow row{terms, Comparison::at_least,
                        value(terms, static_cast<std::uint32_t>(random())) + round % 3 - 1};
    CollectingSink formula({6});
    encode_linear(row, {GetParam().encoding, NeuronEncoding::automatic, 3, 1000}, formula);
    ConstraintCheck check(formula, first_variables(6), [&](std::uint32_t a) { return holds(row, a); });
    ASSERT_TRUE(check.is_exact()) << round;
    if (GetParam().propagation_complete) {
      ASSERT_TRUE(check.is_propagation_complete()) << round;
    }
  }
}

TEST(LinearEncoding, AutomaticFallsBackToTheAdder) {
  // 2^i and 2^i + 1: exponentially many sums.
  LinearRow constraint;
  for (std::uint32_t i = 0; i < 40; ++i)
    constraint.terms.push_back({(std::int64_t{1} << i % 20) * 3 + i, x(i)});
  constraint.bound = 1'700'000;
  CountingSink chosen;
  encode_linear(constraint, {LinearEncoding::automatic, NeuronEncoding::automatic, 3, 20'000}, chosen);
  EXPECT_LE(chosen.size().price(3), 20'000);
}

TEST(LinearEncoding, SpecialCasesAreWrittenAsSuch) {
  const auto size = [](const LinearRow& constraint) {
    CountingSink sink;
    encode_linear(constraint, {}, sink);
    return sink.size();
  };
  using enum Comparison;
  EXPECT_EQ(size({{{2, x(0)}, {2, x(1)}, {3, x(2)}}, at_least, 2}), (EncodingSize{0, 1}));  // a clause
  EXPECT_EQ(size({{{2, x(0)}, {2, x(1)}, {3, x(2)}}, at_least, 7}), (EncodingSize{0, 3}));  // three units
  EXPECT_EQ(size({{{1, x(0)}, {1, x(1)}, {1, x(2)}, {1, x(3)}}, at_most, 1}), (EncodingSize{0, 6}));  // pairs
  EXPECT_EQ(size({{{1, x(0)}, {1, x(1)}, {1, x(2)}}, equal, 1}), (EncodingSize{0, 4}));
  EXPECT_EQ(size({{{1, x(0)}, {-1, x(0)}}, equal, 0}), (EncodingSize{0, 0}));  // true
  EXPECT_EQ(size({{}, at_least, 1}), (EncodingSize{0, 1}));                    // false: the empty clause
}

TEST(WeightedAtLeast, NormalForms) {
  const auto normal = [](std::vector<WeightedLit> terms, std::int64_t bound) {
    return normalise(model::at_least_row(std::move(terms), bound));
  };
  const WeightedAtLeast one = normal({{-4, x(0)}, {6, x(1)}, {2, x(2)}, {1, x(1)}, {1, ~x(1)}}, 1);
  // -4 x0 + 6 x1 + 2 x2 >= 0, that is 4 ~x0 + 6 x1 + 2 x2 >= 4, saturated and divided by 2.
  EXPECT_EQ(one.terms, (std::vector<WeightedLit>{{2, ~x(0)}, {2, x(1)}, {1, x(2)}}));
  EXPECT_EQ(one.bound, 2);
  EXPECT_TRUE(normal({{1, x(0)}}, 0).is_true());
  EXPECT_TRUE(normal({{1, x(0)}}, 2).is_false());
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  EXPECT_THROW(normal({{kLargest, x(0)}, {kLargest, x(1)}, {1, x(2)}}, kLargest), OverflowError);
}

TEST(AtMostOne, IsExactAndPropagationComplete) {
  for (std::uint32_t n = 0; n <= 11; ++n) {
    CollectingSink formula({n});
    encode_at_most_one(first_variables(n), formula);
    ConstraintCheck check(formula, first_variables(n), [](std::uint32_t a) { return (a & (a - 1)) == 0; });
    ASSERT_TRUE(check.is_exact()) << n;
    ASSERT_TRUE(check.is_propagation_complete()) << n;
  }
}

TEST(AtMostOne, IsSmallForMany) {
  CountingSink sink;
  encode_at_most_one(first_variables(100), sink);
  // 10 rows and 10 columns, each again a grid of 3 x 4.
  EXPECT_EQ(sink.size(), (EncodingSize{20 + 2 * 7, 2 * 100 + 2 * (2 * 10 + 3 + 6)}));
}

}  // namespace
}  // namespace bnnplan::encoding
