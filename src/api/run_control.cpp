// Defaults that succeed: all threads of the machine, and three quarters of its memory, so that a run which grows too large
// ends with its best plan instead of being killed.
#include <algorithm>
#include <thread>

#include <bnnplan/run_control.hpp>

namespace bnnplan {

Limits limits_of(const RunControl& control) {
  Limits limits;
  limits.seconds = control.seconds;
  if (control.memory_bytes) {
    limits.memory_bytes = *control.memory_bytes;
  } else if (const std::size_t machine = machine_memory(); machine > 0) {
    limits.memory_bytes = machine / 4 * 3;
  }
  limits.threads = control.threads > 0 ? control.threads : std::max(1u, std::thread::hardware_concurrency());
  limits.seed = control.seed;
  limits.interrupt = control.interrupt;
  return limits;
}

}  // namespace bnnplan
