// A signal handler may neither allocate nor lock, so the names are in a fixed array of pointers that are only
// exchanged. There are never more than a handful; one that finds no free slot is simply not removed. Files
// are removed before folders.
#include "bnnplan/base/temporary_path.hpp"

#include <array>
#include <atomic>
#include <cstring>

#include <unistd.h>

namespace bnnplan {

namespace {

constexpr std::size_t most_names = 64;
std::array<std::atomic<char*>, most_names> names;
static_assert(std::atomic<char*>::is_always_lock_free);

}  // namespace

TemporaryPath::TemporaryPath(const std::string& path) : slot_(most_names) {
  char* const name = new char[path.size() + 1];
  std::memcpy(name, path.c_str(), path.size() + 1);
  for (std::size_t slot = 0; slot < most_names; ++slot) {
    char* none = nullptr;
    if (!names[slot].compare_exchange_strong(none, name)) continue;
    slot_ = slot;
    return;
  }
  delete[] name;
}

TemporaryPath::~TemporaryPath() {
  if (slot_ < most_names) delete[] names[slot_].exchange(nullptr);
}

void remove_temporary_paths() {
  std::array<char*, most_names> taken;  // not freed: the process is ending
  for (std::size_t slot = 0; slot < most_names; ++slot) {
    taken[slot] = names[slot].exchange(nullptr);
    if (taken[slot] != nullptr) ::unlink(taken[slot]);
  }
  for (char* const name : taken) {
    if (name != nullptr) ::rmdir(name);
  }
}

}  // namespace bnnplan
