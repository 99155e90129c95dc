#include "bnnplan/base/decimal.hpp"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan {
namespace {

std::string normal(std::string_view text) {
  const auto value = parse_decimal(text);
  return value ? to_string(*value) : "not a number";
}

TEST(Decimal, ReadsAndWritesExactly) {
  EXPECT_EQ(normal("0"), "0");
  EXPECT_EQ(normal("-0.00"), "0");
  EXPECT_EQ(normal("-1.07368"), "-1.07368");
  EXPECT_EQ(normal("+12.50"), "12.5");
  EXPECT_EQ(normal(".5"), "0.5");
  EXPECT_EQ(normal("5."), "5");
  EXPECT_EQ(normal("1e3"), "1000");
  EXPECT_EQ(normal("1E+3"), "1000");
  EXPECT_EQ(normal("25e-4"), "0.0025");
  EXPECT_EQ(normal("-0.001"), "-0.001");
  EXPECT_EQ(normal("1000000000000000000000000e-24"), "1");
  EXPECT_EQ(normal("1.00000000000000000000000000"), "1");
  EXPECT_EQ(normal("0.000000000000000000000000001"), "0.000000000000000000000000001");
  EXPECT_EQ(normal("0e99999999999"), "0");
  EXPECT_EQ(normal("3e40"), "3e40");
  EXPECT_EQ(normal("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(parse_decimal("100"), (Decimal{1, 2}));
}

TEST(Decimal, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "-", "+", ".", "e5", "1e", "1e+", "1e+-2", "1.2.3", "0x10", "1 ", " 1", "--1",
                           "nan", "inf", "1e2.5", "1,5"}) {
    EXPECT_EQ(parse_decimal(text), std::nullopt) << text;
  }
}

TEST(Decimal, RefusesWhatDoesNotFit) {
  EXPECT_THROW(parse_decimal("9223372036854775808"), OverflowError);
  EXPECT_THROW(parse_decimal("12345678901234567890.5"), OverflowError);
  EXPECT_THROW(parse_decimal("1e99999999999"), OverflowError);
  EXPECT_THROW(scaled(*parse_decimal("1e10"), 9), OverflowError);
  EXPECT_THROW(*parse_decimal("1e18") + *parse_decimal("1e-5"), OverflowError);
  EXPECT_THROW(*parse_decimal("4000000001") * *parse_decimal("4000000001"), OverflowError);
}

TEST(Decimal, Arithmetic) {
  const auto d = [](std::string_view text) { return *parse_decimal(text); };
  EXPECT_EQ(d("0.1") + d("0.2"), d("0.3"));
  EXPECT_EQ(d("1.5") + d("-1.5"), d("0"));
  EXPECT_EQ(d("2.5") * d("0.4"), d("1"));
  EXPECT_EQ(-d("2.5"), d("-2.5"));
  EXPECT_LT(d("-0.1"), d("0"));
  EXPECT_LT(d("0.09"), d("0.1"));
  EXPECT_FALSE(d("0.1") < d("0.1"));
  EXPECT_EQ(scaled(d("1.25"), 2), 125);
  EXPECT_EQ(scaled(d("-3"), 4), -30000);
}

TEST(Decimal, CeilHalf) {
  const auto half = [](std::string_view text) { return ceil_half(*parse_decimal(text)); };
  EXPECT_EQ(half("0"), 0);
  EXPECT_EQ(half("4"), 2);
  EXPECT_EQ(half("5"), 3);
  EXPECT_EQ(half("-5"), -2);
  EXPECT_EQ(half("-4"), -2);
  EXPECT_EQ(half("4.000001"), 3);
  EXPECT_EQ(half("3.999999"), 2);
  EXPECT_EQ(half("-3.999999"), -1);
  EXPECT_EQ(half("-0.5"), 0);
  EXPECT_EQ(half("1e3"), 500);
  EXPECT_EQ(half("0.0000000000000000000001"), 1);
  EXPECT_EQ(half("-0.0000000000000000000001"), 0);
  EXPECT_EQ(half("9.223372036854775807"), 5);
}

TEST(Decimal, WrittenTextReadsBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const Decimal value =
        make_decimal(static_cast<std::int64_t>(random() >> (random() % 60)) * (i % 2 == 0 ? 1 : -1),
                     static_cast<int>(random() % 60) - 45);
    EXPECT_EQ(parse_decimal(to_string(value)), value) << to_string(value);
  }
}

TEST(Checked, Overflow) {
  EXPECT_EQ(checked_add(1, 2), 3);
  EXPECT_THROW(checked_add(INT64_MAX, 1), OverflowError);
  EXPECT_THROW(checked_multiply(INT64_MAX, 2), OverflowError);
  EXPECT_THROW(checked_negate(INT64_MIN), OverflowError);
  EXPECT_THROW(checked_magnitude(INT64_MIN), OverflowError);
  EXPECT_EQ(checked_power_of_ten(18), 1'000'000'000'000'000'000);
  EXPECT_THROW(checked_power_of_ten(19), OverflowError);
}

}  // namespace
}  // namespace bnnplan
