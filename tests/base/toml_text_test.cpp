// TOML that toml++ does not expect: each of these is undefined behaviour or a failed assertion in the library
// alone (fuzzing found them), and an error with its line here.
#include "bnnplan/base/toml_text.hpp"

#include <string>

#include <gtest/gtest.h>

#include "support/input_error_of.hpp"

namespace bnnplan {
namespace {

std::string error(std::string_view text) {
  return testing::input_error_of([&] { parse_toml(text, "f"); });
}

TEST(TomlText, WhatIsLegalIsRead) {
  EXPECT_EQ(parse_toml("\xef\xbb\xbf"
                       "a = 1\n",
                       "f")["a"]
                .value<int>(),
            1)
      << "a byte order mark";
  EXPECT_EQ(parse_toml("'\xc3\xa9' = \"\xc7\x92\" # \xc7\x92\n", "f")["\xc3\xa9"].value<std::string>(),
            "\xc7\x92");
  EXPECT_EQ(parse_toml("a = \"\"\"\xc7\x92\n\xc7\x92\"\"\"\"\"\nb = 2\n", "f")["b"].value<int>(), 2)
      << "two quotes more belong to the string";
  EXPECT_EQ(parse_toml("a = \"\"\"x \\\n   y\"\"\"\n", "f")["a"].value<std::string>(), "x y");
  EXPECT_EQ(parse_toml("a = '\\'\nb = [\n [1], # ]\n [2],\n]\n", "f")["b"].as_array()->size(), 2u);
  EXPECT_TRUE(parse_toml("", "f").empty());
}

TEST(TomlNumbers, AreAsWritten) {
  const std::string text =
      "\xef\xbb\xbf"
      "a = { \"\xc3\xa9\xc7\x92\" = 0.30000000000000001, b = -1_2.5e+1 }\n"
      "c = 7\nd = inf\ne = \"1.5\"\nf = 1.2345678901234567891\ng = 2.50\nh = true\ni = 0x10\n";
  const toml::table root = parse_toml(text, "f");
  TomlNumbers numbers(text);
  const auto exact = [&](const char* key) { return numbers.exact(*root.get(key)); };
  const toml::table& inside = *root["a"].as_table();
  EXPECT_EQ(numbers.exact(*inside.get("\xc3\xa9\xc7\x92")), parse_decimal("0.30000000000000001"))
      << "behind letters of two bytes";
  EXPECT_EQ(numbers.exact(*inside.get("b")), parse_decimal("-125"));
  EXPECT_EQ(exact("c"), parse_decimal("7"));
  EXPECT_EQ(exact("d"), std::nullopt);
  EXPECT_EQ(exact("e"), std::nullopt) << "a text";
  EXPECT_EQ(exact("f"), std::nullopt) << "too many digits";
  EXPECT_EQ(exact("g"), parse_decimal("2.5"));
  EXPECT_EQ(exact("h"), std::nullopt);
  EXPECT_EQ(exact("i"), parse_decimal("16"));
  EXPECT_EQ(numbers.exact(*inside.get("b")), parse_decimal("-125")) << "back again";
}

TEST(TomlText, HeadersWithoutAKey) {
  const std::string confused = "malformed TOML: something is missing or extra here";
  EXPECT_EQ(error("a = 1\n[[[a]]]\nb = 2\n"), "f:2: " + confused);
  EXPECT_EQ(error("[=]\n"), "f:1: " + confused);
  EXPECT_EQ(error(std::string("[\0a]\n", 5)), "f:1: " + confused);
}

TEST(TomlText, LettersOutsideOfQuotes) {
  const std::string letter = "a non-ASCII letter outside quotes, expected \"quotes\" around it";
  EXPECT_EQ(error("\xc3\xa9 = 1\n"), "f:1: " + letter);
  EXPECT_EQ(error("a = 1\nb = \xc7\x92\n"), "f:2: " + letter);
  EXPECT_EQ(error("a = \"\"\"x\ny\"\"\"\xc7\x92\n"), "f:2: " + letter);
}

// Where the library asks whether they are blanks: its own test is undefined for most letters.
TEST(TomlText, LettersWhereBlanksMayBe) {
  EXPECT_EQ(parse_toml("a = \"\"\"x \\\n  \xc7\x92\"\"\"\n", "f")["a"].value<std::string>(), "x \xc7\x92");
  for (const char* text :
       {"a = +\"\xd1\xbc\"\n", "a = 1.\"\xd1\xbc\"\n", "a = x\"\xe2\x82\xac\"\n", "a = -'\xc3\xa9'\n"})
    EXPECT_EQ(error(text).rfind("f:1: ", 0), 0u) << text << ": " << error(text);
}

// Whatever the library says of these, it says it.
TEST(TomlText, MissingValues) {
  for (const char* text :
       {"a = [,]\n", "a = [1,,2]\n", "a = ]\n", "a = {b}\n", "a = {,}\n", "a =\n", "a = \"",
        "a = \"\\",  "a = '''",      "[",       "[[",        "[[a",       "a = [", "a = {",
        "=",         "a.",           "a. = 1",  "\"",        "a = 1e",    "a = -"})
    EXPECT_EQ(error(text).rfind("f:1: ", 0), 0u) << text << ": " << error(text);
}

}  // namespace
}  // namespace bnnplan
