// The lock is on the folder itself, so a killed run leaves no lock file behind. File systems without locks
// give no protection, and there nothing is removed.
#include "bnnplan/base/output_folder.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan {

namespace {

// A temporary file of OutputFile, whose name ends in ".XXXXXX.tmp".
bool is_temporary(const std::filesystem::path& file) {
  if (file.extension() != ".tmp") return false;
  const std::string letters = file.stem().extension().string();
  return letters.size() == 7 && std::all_of(letters.begin() + 1, letters.end(),
                                            [](unsigned char c) { return std::isalnum(c) != 0; });
}

void remove_leftovers(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> leftovers;
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end;
       file.increment(error))
    if (is_temporary(file->path())) leftovers.push_back(file->path());
  for (const std::filesystem::path& file : leftovers) std::filesystem::remove(file, error);
}

}  // namespace

OutputFolder::OutputFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(folder.string(), "cannot create this folder: " + error.message());
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) return;
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
    remove_leftovers(folder);
  } else if (errno == EWOULDBLOCK) {
    ::close(descriptor_);
    throw InputError(folder.string(), "another run is writing to this folder");
  }
}

OutputFolder::~OutputFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace bnnplan
