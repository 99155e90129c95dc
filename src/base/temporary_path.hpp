#pragma once

#include <cstddef>
#include <string>

namespace bnnplan {

// Names a temporary file or folder for as long as it exists, so that a program that is ended from outside can
// still remove it. Does not remove it itself. Threads may make them at the same time.
class TemporaryPath {
 public:
  explicit TemporaryPath(const std::string& path);
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  ~TemporaryPath();

 private:
  std::size_t slot_;
};

// Removes all that are named now: files, and folders that are empty by then. For the last moments of a
// process; a signal handler may call it.
void remove_temporary_paths();

}  // namespace bnnplan
