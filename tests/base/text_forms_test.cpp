#include <gtest/gtest.h>

#include "base/fingerprint.hpp"
#include "base/markup.hpp"

namespace bnnplan {
namespace {

TEST(Fingerprint, IsFnv1a) {
  EXPECT_EQ(fingerprint(""), "cbf29ce484222325");
  EXPECT_EQ(fingerprint("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(fingerprint("foobar"), "85944171f73967e8");
}

TEST(Markup, WhatWouldBeReadAsMarkupIsEscaped) {
  EXPECT_EQ(markup_escaped(""), "");
  EXPECT_EQ(markup_escaped("a' < b & \"c\">"), "a' &lt; b &amp; &quot;c&quot;&gt;");
}

}  // namespace
}  // namespace bnnplan
