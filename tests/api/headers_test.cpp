// Every public header can be included, and all of them together.
#include <bnnplan/bnnplan.hpp>
#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"

namespace bnnplan {
namespace {

TEST(PublicHeaders, TheTableNamesEachOfThem) {
  const std::filesystem::path folder = BNNPLAN_SOURCE_DIR "/include/bnnplan";
  const std::string all = read_text_file(folder / "bnnplan.hpp");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == "bnnplan.hpp") continue;
    EXPECT_NE(all.find("#include <bnnplan/" + name + ">"), std::string::npos) << name;
    EXPECT_NE(all.find(" " + name), std::string::npos) << name << " is not described";
  }
}

}  // namespace
}  // namespace bnnplan
