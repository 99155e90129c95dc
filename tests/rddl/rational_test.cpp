#include "bnnplan/rddl/language/rational.hpp"

#include <gtest/gtest.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::rddl {
namespace {

TEST(Rational, ArithmeticIsExactAndReduced) {
  EXPECT_EQ(make_rational(6, -4), (Rational{-3, 2}));
  EXPECT_EQ(make_rational(1, 3) + make_rational(1, 6), make_rational(1, 2));
  EXPECT_EQ(make_rational(1, 3) - make_rational(1, 3), Rational{});
  EXPECT_EQ(make_rational(2, 3) * make_rational(3, 4), make_rational(1, 2));
  EXPECT_EQ(make_rational(1, 2) / make_rational(-1, 4), make_rational(-2));
  EXPECT_LT(make_rational(1, 3), make_rational(334, 1000));
  EXPECT_GT(make_rational(-1, 3), make_rational(-1, 2));
  EXPECT_EQ(make_rational(3) * (make_rational(1) - make_rational(1, 2)), rational_of(*parse_decimal("1.5")));
}

TEST(Rational, RoundingAndDivisionAreTowardsMinusInfinity) {
  EXPECT_EQ(floor(make_rational(-1, 2)), -1);
  EXPECT_EQ(ceiling(make_rational(-1, 2)), 0);
  EXPECT_EQ(ceiling(make_rational(7, 2)), 4);
  EXPECT_EQ(floor(make_rational(4)), 4);
  EXPECT_EQ(ceiling(make_rational(4)), 4);
  EXPECT_EQ(floor_divide(-7, 2), -4);
  EXPECT_EQ(floor_modulo(-7, 2), 1);
  EXPECT_EQ(floor_divide(7, -2), -4);
  EXPECT_EQ(floor_modulo(7, -2), -1);
  EXPECT_EQ(floor_modulo(INT64_MIN, -1), 0);
  EXPECT_THROW(floor_divide(INT64_MIN, -1), OverflowError);
}

TEST(Rational, OverflowIsRefused) {
  const Rational large = make_rational(INT64_MAX);
  EXPECT_THROW(large + large, OverflowError);
  EXPECT_THROW(large * large, OverflowError);
  EXPECT_THROW(make_rational(1, INT64_MAX) * make_rational(1, 3), OverflowError);
  EXPECT_THROW(Rational{} - make_rational(INT64_MIN), OverflowError);
  EXPECT_EQ(large * make_rational(1, INT64_MAX), make_rational(1));
}

TEST(Rational, TextAndDecimals) {
  EXPECT_EQ(to_string(make_rational(-1, 4)), "-0.25");
  EXPECT_EQ(to_string(make_rational(1, 3)), "1/3");
  EXPECT_EQ(to_string(make_rational(12)), "12");
  EXPECT_EQ(decimal_of(make_rational(1, 40)), make_decimal(25, -3));
  EXPECT_EQ(decimal_of(make_rational(1, 7)), std::nullopt);
  EXPECT_EQ(rational_of(make_decimal(15, 2)), make_rational(1500));
}

}  // namespace
}  // namespace bnnplan::rddl
