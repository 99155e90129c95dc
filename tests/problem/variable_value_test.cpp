#include "bnnplan/problem/variable_value.hpp"

#include <gtest/gtest.h>

namespace bnnplan {
namespace {

Decimal d(std::string_view text) { return *parse_decimal(text); }

TEST(VariableValue, EveryValueOfEveryKindGoesThereAndBack) {
  for (int bits = 1; bits <= 6; ++bits) {
    for (const bool negative : {false, true}) {
      for (const int scale : {-2, 0, 1}) {
        const Variable variable{
            .name = "x", .boolean = false, .bits = bits, .twos_complement = negative, .scale = scale};
        const int low = negative ? -(1 << (bits - 1)) : 0;
        for (int k = low; k < low + (1 << bits); ++k) {
          const Decimal value = make_decimal(k, scale);
          const auto written = bits_of_value(variable, value);
          ASSERT_TRUE(written) << k;
          EXPECT_EQ(value_of_bits(variable, BitValues(written->begin(), written->end())), value);
        }
        EXPECT_EQ(bits_of_value(variable, make_decimal(low - 1, scale)), std::nullopt);
        EXPECT_EQ(bits_of_value(variable, make_decimal(low + (1 << bits), scale)), std::nullopt);
        EXPECT_EQ(bits_of_value(variable, make_decimal(5, scale - 1)), std::nullopt) << "half a unit";
        EXPECT_EQ(bits_of_value(variable, d("1e18")), std::nullopt);
      }
    }
  }
}

TEST(VariableValue, TheDesignsFormula) {
  // x = (-2^(m1-1) x_m1 + sum_{i<m1} 2^(i-1) x_i) 10^m2 with m1 = 4, m2 = -1
  const Variable variable{.name = "x", .boolean = false, .bits = 4, .twos_complement = true, .scale = -1};
  EXPECT_EQ(value_of_bits(variable, BitValues{1, 0, 1, 1}), d("-0.3"));
  EXPECT_EQ(range_text(variable), "a multiple of 0.1 from -0.8 to 0.7");
  EXPECT_EQ(range_text({.name = "b"}), "true or false");
  EXPECT_EQ(range_text({.name = "n", .boolean = false, .bits = 32}), "an integer from 0 to 4294967295");
}

}  // namespace
}  // namespace bnnplan
