#include "bnnplan/exchange/surd.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace bnnplan::exchange {
namespace {

Surd root(double number) { return square_root(Surd(number)); }

TEST(Surd, DoublesStayDoubles) {
  EXPECT_TRUE((Surd(0.5) + Surd(0.25)).is_double());
  EXPECT_TRUE((Surd(3) * Surd(0.125)).is_double());
  EXPECT_FALSE((Surd(0.1) * Surd(0.1)).is_double());
  EXPECT_FALSE((Surd(1e300) + Surd(1e-300)).is_double());
  EXPECT_EQ((Surd(0.1) + Surd(0.2) - Surd(0.2)).as_double(), 0.1);
  EXPECT_TRUE((Surd(1) / Surd(3) * Surd(3)).is_double());
}

// Sums and products are those of rational numbers, whatever the rounding of doubles would do.
TEST(Surd, AgreesWithFractions) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    const auto number = [&] {
      const int exponent = static_cast<int>(random() % 2100) - 1060;
      const double fraction =
          static_cast<double>(random() % (random() % 2 == 0 ? 4 : std::uint64_t{1} << 53));
      return std::ldexp(random() % 2 == 0 ? fraction : -fraction,
                        i % 2 == 0 ? exponent / 50 : std::min(exponent, 900));
    };
    const double x = number(), y = number();
    EXPECT_TRUE((Surd(x) + Surd(y)).a() == mpq_class(x) + mpq_class(y)) << x << " " << y;
    EXPECT_TRUE((Surd(x) * Surd(y)).a() == mpq_class(x) * mpq_class(y)) << x << " " << y;
    if (y == 0) continue;
    EXPECT_TRUE((Surd(x) / Surd(y)).a() == mpq_class(x) / mpq_class(y)) << x << " " << y;
  }
}

TEST(Surd, Roots) {
  EXPECT_TRUE(root(9).is_double());
  EXPECT_EQ(root(9).as_double(), 3);
  EXPECT_EQ(root(2) * root(2), Surd(2));
  EXPECT_EQ(root(8), root(2) + root(2));
  EXPECT_EQ(root(2) * root(3), root(6));
  EXPECT_EQ(Surd(1) / root(2) * Surd(2), root(2));
  EXPECT_EQ((Surd(1) + root(2)) * (Surd(1) - root(2)), Surd(-1));
  EXPECT_EQ((root(2) - root(2)), Surd(0));
  const double above = 1.4142135623730951;  // the nearest double
  EXPECT_EQ((root(2) - Surd(above)).sign(), -1);
  EXPECT_EQ((root(2) - Surd(std::nextafter(above, 0))).sign(), 1);
  EXPECT_EQ((Surd(3) - root(8)).sign(), 1);
  EXPECT_EQ((Surd(-3) + root(8)).sign(), -1);
  EXPECT_EQ((-root(5)).sign(), -1);
}

TEST(Surd, WhatItCannotDo) {
  const auto error = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const SurdError& what) {
      return what.what();
    }
    return "";
  };
  EXPECT_EQ(error([] { (void)(root(2) + root(3)); }), "two different square roots meet");
  EXPECT_EQ(error([] { (void)(Surd(1) / Surd(0)); }), "division by 0");
  EXPECT_EQ(error([] { (void)root(-1); }), "the root of a negative number");
  EXPECT_EQ(error([] { (void)square_root(root(2)); }), "the root of a root");
  EXPECT_EQ(error([] { (void)(Surd(HUGE_VAL) + Surd(1)); }), "a number that is not finite");
  EXPECT_EQ(error([] { (void)(Surd(std::nan("")).sign()); }), "a number that is not finite");
  EXPECT_EQ(error([] {
              Surd x(0.1);
              for (int i = 0; i < 40; ++i) x = x * x;
            }),
            "a number of more than 40000 bits");
}

}  // namespace
}  // namespace bnnplan::exchange
