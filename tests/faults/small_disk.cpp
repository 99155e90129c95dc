// In a mount namespace of its own, so that the disk goes with the process.
#include "faults/small_disk.hpp"

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bnnplan::testing {

int run_on_small_disk(const std::filesystem::path& folder, const std::string& script,
                      const std::string& size) {
  const std::string options = "size=" + size + ",nr_inodes=50";
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("small", folder.c_str(), "tmpfs", 0, options.c_str()) != 0)
      ::_exit(125);
    ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
    ::_exit(125);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

}  // namespace bnnplan::testing
