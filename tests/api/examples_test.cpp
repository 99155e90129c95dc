// The programs in examples/ are what docs/library.md shows. That they build against an installed bnnplan, and
// what they print, is tested by tests/install.
#include <filesystem>

#include <gtest/gtest.h>

#include "bnnplan/base/text_file.hpp"

namespace bnnplan {
namespace {

// As a fenced block of Markdown, without the line that says what the program is.
std::string shown(const std::string& program) {
  return "```cpp\n" + program.substr(program.find('\n') + 1) + "```\n";
}

TEST(Examples, AreTheSnippetsOfThePage) {
  const std::filesystem::path source = BNNPLAN_SOURCE_DIR;
  const std::string page = read_text_file(source / "docs/library.md");
  for (const char* name : {"plan.cpp", "learn.cpp", "check_proof.cpp"}) {
    EXPECT_NE(page.find(shown(read_text_file(source / "examples" / name))), std::string::npos)
        << "docs/library.md does not show examples/" << name << " as it is";
  }
}

}  // namespace
}  // namespace bnnplan
