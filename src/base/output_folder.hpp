#pragma once

#include <filesystem>

namespace bnnplan {

// A folder that only one run at a time writes its results to: created if missing, and locked against other
// runs until this one ends, however it ends. Throws InputError if that fails. Temporary files that a killed
// run left in the folder are removed.
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
