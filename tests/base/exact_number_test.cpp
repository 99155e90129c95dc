#include "bnnplan/base/exact_number.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace bnnplan {
namespace {

std::string read_and_written(std::string_view text) {
  const auto number = parse_exact(text);
  return number ? exact_text(*number) : "not a number";
}

TEST(ExactNumber, ReadsAndWritesExactly) {
  EXPECT_EQ(read_and_written("0"), "0");
  EXPECT_EQ(read_and_written("-0.00"), "0");
  EXPECT_EQ(read_and_written("+12.50"), "12.5");
  EXPECT_EQ(read_and_written("-.05"), "-0.05");
  EXPECT_EQ(read_and_written("5."), "5");
  EXPECT_EQ(read_and_written("1.5e-3"), "0.0015");
  EXPECT_EQ(read_and_written("25E+2"), "2500");
  EXPECT_EQ(read_and_written("-3/255"), "-1/85");
  EXPECT_EQ(read_and_written("6/8"), "0.75");
  EXPECT_EQ(read_and_written("123456789012345678901234567890.5"), "123456789012345678901234567890.5");
  EXPECT_EQ(read_and_written("1e-41"), "1/100000000000000000000000000000000000000000");
  EXPECT_EQ(exact_text(mpq_class(0.1f)), "0.100000001490116119384765625");
}

TEST(ExactNumber, TextsHaveALimit) {
  const auto power = [](unsigned long exponent) {
    mpz_class result;
    mpz_ui_pow_ui(result.get_mpz_t(), 10, exponent);
    return mpq_class(result);
  };
  EXPECT_TRUE(has_exact_text(power(exact_text_limit - 1)));
  EXPECT_FALSE(has_exact_text(power(exact_text_limit)));
  EXPECT_FALSE(has_exact_text(-power(exact_text_limit - 1)));
  EXPECT_FALSE(has_exact_text(1 / power(exact_text_limit)));
  EXPECT_FALSE(has_exact_text(power(5 * exact_text_limit)));
  for (const mpq_class& number : {power(exact_text_limit - 1), mpq_class(1 / power(exact_text_limit - 3))}) {
    ASSERT_TRUE(has_exact_text(number));
    EXPECT_EQ(parse_exact(exact_text(number)), number);
  }
}

TEST(ExactNumber, RefusesEverythingElse) {
  for (const char* text :
       {"",      "-",    ".",   "e5",  "1e", "1e+", "1/",     "/2",      "1/0",           "1/-2",
        "1.5/2", "0x10", "nan", "inf", "1 ", " 1",  "1e1001", "1e-1001", "1e99999999999", "--1",
        "1,5"})
    EXPECT_EQ(read_and_written(text), "not a number") << text;
  EXPECT_FALSE(parse_exact(std::string(10'001, '1')));
  EXPECT_TRUE(parse_exact(std::string(10'000, '1')));
}

TEST(ExactNumber, TheNearestDoubleIsTheOneThatTheLibraryReads) {
  for (const char* text :
       {"0", "0.1", "-0.1", "1e-320", "4.9e-324", "2.4e-324", "2.5e-324", "1.7976931348623157e308",
        "1.7976931348623158e308", "9007199254740993", "9007199254740995", "-9007199254740993",
        "0.30000000000000004", "3.141592653589793238462643"}) {
    EXPECT_EQ(nearest_double(*parse_exact(text)), std::strtod(text, nullptr)) << text;
  }
  EXPECT_TRUE(std::isinf(nearest_double(*parse_exact("1.8e308"))));
  EXPECT_LT(nearest_double(*parse_exact("-1e400")), 0);
  EXPECT_EQ(nearest_double(mpq_class(1, 3)), 1.0 / 3.0);
}

// Of a number and its neighbours, `x >= number` and `x >= smallest_double_at_least(number)` are the same.
TEST(ExactNumber, TheSmallestDoubleAtLeast) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    mpq_class number(static_cast<long>(random() % 2001) - 1000, 1 + random() % 300);
    number.canonicalize();
    if (i % 3 == 0) number = mpq_class(nearest_double(number));
    const double bound = smallest_double_at_least(number);
    EXPECT_GE(mpq_class(bound), number);
    EXPECT_LT(mpq_class(std::nextafter(bound, -1e300)), number);
  }
  EXPECT_TRUE(std::isinf(smallest_double_at_least(*parse_exact("1e400"))));
  EXPECT_EQ(smallest_double_at_least(*parse_exact("-1e400")), -std::numeric_limits<double>::max());
  EXPECT_EQ(smallest_double_at_least(*parse_exact("1e-400")), std::numeric_limits<double>::denorm_min());
}

// Of a number and its neighbours, their shortest decimals are compared.
TEST(ExactNumber, TheSmallestDecimalAtLeast) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    mpq_class number(static_cast<long>(random() % 2001) - 1000, i % 2 == 0 ? 1000 : 1 + random() % 300);
    number.canonicalize();
    const double bound = smallest_decimal_at_least(number);
    EXPECT_GE(shortest_decimal(bound), number);
    EXPECT_LT(shortest_decimal(std::nextafter(bound, -1e300)), number);
  }
  EXPECT_EQ(smallest_decimal_at_least(*parse_exact("0.3")), 0.3);  // which is below 3/10
  EXPECT_EQ(shortest_decimal(0.1F), mpq_class(1, 10));
  EXPECT_TRUE(std::isinf(smallest_decimal_at_least(*parse_exact("1e400"))));
}

TEST(ExactNumber, TheNearestDoubleOverARoot) {
  EXPECT_EQ(nearest_double_over_root(1, 4), 0.5);
  EXPECT_EQ(nearest_double_over_root(-3, 4), -1.5);
  EXPECT_EQ(nearest_double_over_root(0, 7), 0.0);
  EXPECT_EQ(nearest_double_over_root(2, 2), std::sqrt(2.0));  // the library rounds roots correctly
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const double square =
        std::ldexp(static_cast<double>(random() % 1'000'000 + 1), static_cast<int>(random() % 200) - 100);
    EXPECT_EQ(nearest_double_over_root(mpq_class(square), mpq_class(square)), std::sqrt(square)) << square;
  }
  // Beyond the exponents of doubles: the same bits.
  const mpq_class far = mpz_class(1) << 3000;
  EXPECT_EQ(nearest_double_over_root(2 * far, 2), std::sqrt(2.0) * far);
  EXPECT_EQ(nearest_double_over_root(-3 / far, 3), -std::sqrt(3.0) / far);
  EXPECT_EQ(nearest_double_over_root(2, 2 / (far * far)), std::sqrt(2.0) * far);
}

TEST(ExactNumber, RootsThatAreRational) {
  EXPECT_EQ(exact_root(mpq_class(9, 4)), mpq_class(3, 2));
  EXPECT_EQ(exact_root(0), mpq_class(0));
  EXPECT_FALSE(exact_root(2));
  EXPECT_FALSE(exact_root(mpq_class(1, 3)));
  EXPECT_FALSE(exact_root(-4));
}

}  // namespace
}  // namespace bnnplan
