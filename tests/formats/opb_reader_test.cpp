// The solver's reader of OPB files and the checker's, which share nothing: both read the same formula, or
// refuse a file for the same reason.
#include "bnnplan/formats/opb_reader.hpp"

#include <array>

#include <gtest/gtest.h>

#include "bnnplan/base/random.hpp"
#include "support/checked_formula.hpp"

namespace bnnplan::formats {
namespace {

template <class Function>
std::string opb_result(const Function& parse) {
  try {
    return testing::formula_text(parse());
  } catch (const UnsupportedFormula& error) {
    return std::string("unsupported: ") + error.what();
  } catch (const checking::UnsupportedFormula& error) {
    return std::string("unsupported: ") + error.what();
  } catch (const InputError& error) {
    return error.what();
  }
}

std::string read_opb(const std::string& text) {
  return opb_result([&] { return testing::checked_formula(parse_opb(text, "f.opb")); });
}
std::string read_opb_by_checker(const std::string& text) {
  return opb_result([&] { return checking::parse_opb(text, "f.opb"); });
}

TEST(OpbReader, WhatItReads) {
  EXPECT_EQ(read_opb("* a comment\n  * another\nmin: +1 x1 -2 ~x3 ;\n3 x1 x2\n>= 1 ;"),
            "unsupported: f.opb:4: a product of variables, expected one variable in each term");
  EXPECT_EQ(read_opb("min: +1 x1 -2 ~x3 ;1 x1 -1 x2 = 0;\n-2 x2 2 x2 1 ~x1<= 0 ;"),
            "f.opb:2: '~x1<=', expected a variable x1, x2, ...");
  EXPECT_EQ(read_opb("min: +1 x1 -2 ~x3 ;1 x1 -1 x2 = 0;\n-2 x2 2 x2 1 ~x1 <= 0 ;"),
            "3 variables\nmin: 1 x1 -2 ~x3 ;\n1 x1 1 ~x2 >= 1 ;\n1 ~x1 1 x2 >= 1 ;\n1 x1 >= 1 ;\n");
  EXPECT_EQ(read_opb("1 x1 >= -9223372036854775808 ;"),
            "unsupported: f.opb:1: number too large: it does not fit into 64 bits");
}

TEST(OpbReader, BothReadersAgree) {
  constexpr std::array words = {"min:",
                                "max:",
                                ";",
                                ">=",
                                "=",
                                "<=",
                                "1",
                                "+2",
                                "-3",
                                "+-1",
                                "--1",
                                "x1",
                                "~x2",
                                "x3",
                                "x03",
                                "x1;",
                                "* 1",
                                "\n",
                                "\n*c\n",
                                "soft:",
                                "[5]",
                                "\t",
                                "\r\n",
                                "x+1",
                                "x2000000",
                                "x1073741825",
                                "9223372036854775807",
                                "-9223372036854775808",
                                "9999999999999999999999",
                                "",
                                "0",
                                "x",
                                "~",
                                "1e3",
                                "-"};
  Random random(4);
  std::array<std::size_t, 3> kinds{};
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (std::uint64_t i = random.below(4); i > 0; --i) {
      // A constraint, mostly right.
      for (std::uint64_t term = random.below(3); term > 0; --term)
        text += random.below(2) == 0 ? "1 x1 " : "-2 ~x3 ";
      text += random.below(3) == 0 ? "= 1 ;" : ">= 2 ;\n";
      if (random.below(4) == 0)
        text.insert(static_cast<std::size_t>(random.below(text.size() + 1)),
                    std::string(" ") + words[random.below(words.size())] + " ");
      if (random.below(6) == 0)
        text.insert(static_cast<std::size_t>(random.below(text.size() + 1)),
                    words[random.below(words.size())]);
    }
    const std::string ours = read_opb(text);
    ASSERT_EQ(ours, read_opb_by_checker(text)) << text;
    ++kinds[ours.starts_with("unsupported") ? 0 : ours.starts_with("f.opb") ? 1 : 2];
  }
  for (const std::size_t count : kinds) EXPECT_GT(count, 100u);
}

}  // namespace
}  // namespace bnnplan::formats
