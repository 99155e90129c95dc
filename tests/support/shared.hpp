#pragma once

#include <cstdlib>
#include <filesystem>

namespace bnnplan::testing {

// Data of others that tests read where it is present: BNNPLAN_SHARED, by default ../shared beside the
// project. Requires that BNNPLAN_SOURCE_DIR is defined.
inline std::filesystem::path shared_folder() {
  const char* given = std::getenv("BNNPLAN_SHARED");
  if (given != nullptr) return given;
  return std::filesystem::path(BNNPLAN_SOURCE_DIR) / "../shared";
}

}  // namespace bnnplan::testing
