#pragma once

#include <filesystem>

namespace bnnplan {

// A folder that one run at a time writes its results into: made if it is missing, and kept from other runs
// until the end of this one, however that comes. Throws InputError where that cannot be.
class OutputFolder {
 public:
  explicit OutputFolder(const std::filesystem::path& folder);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

 private:
  int descriptor_;
};

}  // namespace bnnplan
