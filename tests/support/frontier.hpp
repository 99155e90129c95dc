#pragma once

#include <filesystem>

#include "support/shared.hpp"

namespace bnnplan::testing {

// The larger problems there.
inline std::filesystem::path frontier_folder() { return shared_folder() / "frontier"; }

inline bool frontier_present() { return std::filesystem::exists(frontier_folder() / "sys_10.toml"); }

}  // namespace bnnplan::testing

#define BNNPLAN_NEEDS_FRONTIER()                                                                      \
  if (!bnnplan::testing::frontier_present()) {                                                        \
    GTEST_SKIP() << "the larger problems are not at " << bnnplan::testing::frontier_folder().string() \
                 << " (set BNNPLAN_SHARED)";                                                          \
  }
