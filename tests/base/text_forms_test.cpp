#include <gtest/gtest.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/fingerprint.hpp"
#include "bnnplan/base/json_text.hpp"
#include "bnnplan/base/markup.hpp"

namespace bnnplan {
namespace {

TEST(Fingerprint, IsFnv1a) {
  EXPECT_EQ(fingerprint(""), "cbf29ce484222325");
  EXPECT_EQ(fingerprint("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(fingerprint("foobar"), "85944171f73967e8");
}

TEST(Counts, OneIsNotMany) {
  EXPECT_EQ(count_text(1, "bit"), "1 bit");
  EXPECT_EQ(count_text(0, "bit"), "0 bits");
  EXPECT_EQ(count_text(std::size_t{12}, "bit"), "12 bits");
  EXPECT_EQ(count_text(1u, "prefix", "prefixes"), "1 prefix");
  EXPECT_EQ(count_text(2u, "prefix", "prefixes"), "2 prefixes");
}

TEST(Json, Layouts) {
  const JsonObject value = {{"a", JsonArray{1, "\"", nullptr}},
                            {"b", JsonArray{JsonObject{{"c", true}}, JsonObject{}}},
                            {"d", json_exact("1/3")}};
  EXPECT_EQ(json_text(value),
            "{\"a\": [1, \"\\\"\", null],\n \"b\": [\n  {\"c\": true},\n  {}\n ],\n \"d\": \"1/3\"}");
  EXPECT_EQ(json_text(value, JsonLayout::line),
            "{\"a\": [1, \"\\\"\", null], \"b\": [{\"c\": true}, {}], \"d\": \"1/3\"}");
  EXPECT_EQ(json_text(value, JsonLayout::packed),
            "{\"a\":[1,\"\\\"\",null],\"b\":[{\"c\":true},{}],\"d\":\"1/3\"}");
}

TEST(Markup, WhatWouldBeReadAsMarkupIsEscaped) {
  EXPECT_EQ(markup_escaped(""), "");
  EXPECT_EQ(markup_escaped("a' < b & \"c\">"), "a' &lt; b &amp; &quot;c&quot;&gt;");
}

}  // namespace
}  // namespace bnnplan
