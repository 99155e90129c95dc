#include "bnnplan/ipamir/variable_pages.hpp"

#include <gtest/gtest.h>

namespace bnnplan::ipamir {
namespace {

TEST(VariablePages, KeepWhatWasPutInAtAnyNumber) {
  VariablePages pages;
  const std::uint32_t numbers[] = {0, 1, 4095, 4096, 1'000'000, 0x7FFFFFFFu};
  for (const std::uint32_t number : numbers) EXPECT_EQ(pages.find(number), VariablePages::absent);
  for (const std::uint32_t number : numbers) {
    EXPECT_EQ(pages.at(number), VariablePages::absent);
    pages.at(number) = number / 2;
  }
  for (const std::uint32_t number : numbers) EXPECT_EQ(pages.find(number), number / 2);
  EXPECT_EQ(pages.find(2), VariablePages::absent);
  EXPECT_EQ(pages.find(5000), VariablePages::absent);
}

}  // namespace
}  // namespace bnnplan::ipamir
