#pragma once

#include <filesystem>
#include <string>

namespace bnnplan::testing {

// Runs a script of the shell with a small disk at `folder`, which is gone afterwards. Returns its exit code;
// 125 where no such disk can be made.
int run_on_small_disk(const std::filesystem::path& folder, const std::string& script,
                      const std::string& size = "8k");

}  // namespace bnnplan::testing
