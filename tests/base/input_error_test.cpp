#include "bnnplan/base/input_error.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace bnnplan {
namespace {

TEST(InputError, IsOneLineWithItsPlace) {
  EXPECT_STREQ(InputError("a.toml", 3, "wrong").what(), "a.toml:3: wrong");
  EXPECT_STREQ(InputError("a.toml", "wrong").what(), "a.toml: wrong");
  EXPECT_STREQ(InputError("wrong").what(), "wrong");
  EXPECT_STREQ(InputError("a\nb", 3, "wrong").what(), "a\\x0ab:3: wrong");
}

TEST(InputError, NamesOptionsAsTheFrontEndDoes) {
  const InputError error("a.rddl", 3, "no bound, expected " + option_name("table-bits") + " 4");
  EXPECT_STREQ(error.what(), "a.rddl:3: no bound, expected table_bits 4");
  EXPECT_EQ(error.text(OptionStyle::command_line), "a.rddl:3: no bound, expected --table-bits 4");
  EXPECT_EQ(error.text(OptionStyle::python), "a.rddl:3: no bound, expected table_bits= 4");
  const InputError wrapped("b.rddl", error.message());
  EXPECT_EQ(wrapped.text(OptionStyle::command_line), "b.rddl: no bound, expected --table-bits 4");
  EXPECT_EQ(with_option_names(option_name("engine=search"), OptionStyle::command_line), "--engine search");
  EXPECT_EQ(with_option_names(option_name("engine=search"), OptionStyle::python), "engine='search'");
  for (const std::string& name : {std::string("<seed>"), option_name("seed")})
    EXPECT_EQ(InputError(printable(name)).text(OptionStyle::command_line), printable(name))
        << "names in files are not options";
}

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("plain [$x1| $y2] \xc3\xa9 \xe2\x82\xac"), "plain [$x1| $y2] \xc3\xa9 \xe2\x82\xac");
  EXPECT_EQ(printable("\x1b[31mred\x7f"), "\\x1b[31mred\\x7f");
  EXPECT_EQ(printable("a\nb\tc"), "a\\x0ab\\x09c");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");           // a C1 control character
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");           // no UTF-8
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80");
  EXPECT_EQ(printable("a\u202eb\u200b\ufeff\u2028"), "a\\u{202e}b\\u{200b}\\u{feff}\\u{2028}");  // unseen
  EXPECT_EQ(printable("\u00ad\u2066\U000e0041\u00e9\u2027\u2010"),
            "\\u{ad}\\u{2066}\\u{e0041}\u00e9\u2027\u2010");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("abc", 3), "abc");
}

TEST(NearestName, SuggestsOnlyWhatIsLikely) {
  const std::vector<std::string> names{"move-north", "move-south", "key"};
  EXPECT_EQ(nearest_name("move-nort", names), "move-north");
  EXPECT_EQ(nearest_name("move-suoth", names), "move-south");
  EXPECT_EQ(nearest_name("kye", names), "key");
  EXPECT_EQ(nearest_name("temperature", names), "");
  EXPECT_EQ(nearest_name(std::string(10'000'000, 'k'), names), "") << "at once";
  EXPECT_EQ(nearest_name("key", std::vector{std::string(10'000'000, 'k')}), "");
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

}  // namespace
}  // namespace bnnplan
