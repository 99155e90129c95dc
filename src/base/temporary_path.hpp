#pragma once

#include <cstddef>
#include <string>

namespace bnnplan {

// Registers a temporary file or folder for as long as this object exists, so that a program that is
// terminated can still remove it. Does not remove it itself. Thread-safe.
class TemporaryPath {
 public:
  explicit TemporaryPath(const std::string& path);
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  ~TemporaryPath();

 private:
  std::size_t slot_;
};

// Removes everything registered now: files, and folders that are empty by then. For the last moments of a
// process; safe to call from a signal handler.
void remove_temporary_paths();

}  // namespace bnnplan
