#pragma once

#include <cstdlib>
#include <filesystem>

namespace bnnplan::testing {

// The larger problems that are not part of the project: in the folder frontier/ of BNNPLAN_SHARED, by default
// ../shared beside the project. Requires that BNNPLAN_SOURCE_DIR is defined.
inline std::filesystem::path frontier_folder() {
  const char* given = std::getenv("BNNPLAN_SHARED");
  const std::filesystem::path shared = given != nullptr
                                           ? std::filesystem::path(given)
                                           : std::filesystem::path(BNNPLAN_SOURCE_DIR) / "../shared";
  return shared / "frontier";
}

inline bool frontier_present() { return std::filesystem::exists(frontier_folder() / "sys_10.toml"); }

}  // namespace bnnplan::testing

#define BNNPLAN_NEEDS_FRONTIER()                                                                      \
  if (!bnnplan::testing::frontier_present()) {                                                        \
    GTEST_SKIP() << "the larger problems are not at " << bnnplan::testing::frontier_folder().string() \
                 << " (set BNNPLAN_SHARED)";                                                          \
  }
