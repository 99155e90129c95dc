// Limits on time and memory. Code that allocates much memory accounts for it (it knows before it allocates),
// on top of what the process held at the start, so a limit is noticed before it is exceeded.
#include "bnnplan/base/limits.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bnnplan/base/turns.hpp"

namespace bnnplan {

std::string_view stop_reason_text(StopReason reason) {
  constexpr std::string_view words[] = {"", "time limit", "memory limit", "interrupted",
                                        "too large for this engine"};
  return words[static_cast<std::size_t>(reason)];
}

Limits on_this_machine(Limits limits) {
  const std::size_t machine = machine_memory();
  if (limits.memory_bytes == Limits().memory_bytes && machine > 0) limits.memory_bytes = machine / 4 * 3;
  if (limits.threads == 0) limits.threads = std::max(1u, std::thread::hardware_concurrency());
  return limits;
}

LimitWatch::LimitWatch(const Limits& limits) : limits_(limits), bytes_at_start_(resident_memory()) {}

void LimitWatch::restart(const Limits& limits) {
  limits_ = limits;
  stopwatch_ = Stopwatch();
  bytes_at_start_ = resident_memory();
  next_memory_look_ = 0;
  reason_ = StopReason::none;
}

bool LimitWatch::should_stop() {
  if (reason() != StopReason::none) return true;
  if (limits_.turn.turns != nullptr) limits_.turn.turns->wait(limits_.turn.member, limits_.interrupt);
  if (limits_.interrupt != nullptr && limits_.interrupt->load(std::memory_order_relaxed)) {
    stop(StopReason::interrupted);
    return true;
  }
  if (limits_.seconds && stopwatch_.seconds() >= *limits_.seconds) {
    stop(StopReason::time);
    return true;
  }
  return false;
}

bool LimitWatch::exceeds_memory(std::size_t bytes) {
  if (bytes_at_start_ + bytes <= limits_.memory_bytes) return false;
  stop(StopReason::memory);
  return true;
}

void LimitWatch::check() {
  constexpr double seconds_between_looks = 0.01;
  check_time();
  if (const double now = stopwatch_.seconds(); now >= next_memory_look_) {
    next_memory_look_ = now + seconds_between_looks;
    if (resident_memory() <= limits_.memory_bytes) return;
    stop(StopReason::memory);
    throw LimitReached();
  }
}

void LimitWatch::stop(StopReason reason) {
  StopReason none = StopReason::none;
  reason_.compare_exchange_strong(none, reason);
}

std::size_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_bytes = ::sysconf(_SC_PAGESIZE);
  std::size_t bytes = pages > 0 && page_bytes > 0
                          ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes)
                          : 0;
  std::ifstream group("/sys/fs/cgroup/memory.max");
  std::size_t group_bytes = 0;
  if (group >> group_bytes && group_bytes > 0)
    bytes = bytes == 0 ? group_bytes : std::min(bytes, group_bytes);
  return bytes;
}

// Allocates nothing: it is called when no memory may be left. The second number in the file counts pages.
std::size_t resident_memory() {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128];
  const ssize_t size = ::read(file, text, sizeof text);
  ::close(file);
  const char* const end = text + std::max<ssize_t>(size, 0);
  const char* const second = std::find(static_cast<const char*>(text), end, ' ');
  std::size_t pages = 0;
  if (second == end || std::from_chars(second + 1, end, pages).ec != std::errc()) return 0;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::size_t peak_resident_memory() {
  struct rusage usage {};
  return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::size_t>(usage.ru_maxrss) * 1024 : 0;
}

}  // namespace bnnplan
