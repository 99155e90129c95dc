#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace bnnplan::testing {

// Where the published networks and problems of FD-SAT-Plan are.
inline std::filesystem::path published_folder() {
  const char* given = std::getenv("BNNPLAN_PUBLISHED");
  if (given != nullptr) return given;
  return std::filesystem::path(BNNPLAN_SOURCE_DIR) / ".." / "shared" / "fd-sat-plan";
}

inline bool published_present() { return std::filesystem::exists(published_folder() / "bnn"); }

#define BNNPLAN_NEEDS_PUBLISHED()                                                                \
  if (!bnnplan::testing::published_present()) {                                                  \
    GTEST_SKIP() << "the published FD-SAT-Plan files are not at "                                \
                 << bnnplan::testing::published_folder().string() << " (set BNNPLAN_PUBLISHED)"; \
  }

struct PublishedInstance {
  std::string domain, instance, shape;
};

inline std::vector<PublishedInstance> published_instances() {
  return {{"navigation", "3x3", "13:36:36:9"},    {"navigation", "4x4", "20:96:96:16"},
          {"navigation", "5x5", "29:128:128:25"}, {"inventory", "1", "7:96:96:5"},
          {"inventory", "2", "8:128:128:5"},      {"sysadmin", "4", "16:128:128:12"},
          {"sysadmin", "5", "20:128:128:128:15"}, {"cellda", "x", "12:128:128:4"},
          {"cellda", "y", "12:128:128:4"}};
}

}  // namespace bnnplan::testing
