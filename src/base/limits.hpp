#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "bnnplan/base/stopwatch.hpp"

namespace bnnplan {

class Turns;  // turns.hpp

// The place of one thread among those that share a core.
struct Turn {
  Turns* turns = nullptr;
  std::size_t member = 0;
};

// The resources a computation may use, and how it is stopped from outside: soon after a signal handler or
// another thread sets `interrupt` it ends, with the best result so far. The same seed gives the same result
// unless a limit is reached; engines that run side by side may find another plan of the same cost.
struct Limits {
  std::optional<double> seconds;                                       // of wall time
  std::size_t memory_bytes = std::numeric_limits<std::size_t>::max();  // of the whole process
  unsigned threads = 1;
  std::uint64_t seed = 0;
  const std::atomic<bool>* interrupt = nullptr;
  Turn turn = {};  // if others share the same core; implies one thread

  // What is left of them after some time: at least a moment, since 0 is not a limit that can be given.
  Limits after(double seconds_used) const {
    Limits left = *this;
    left.seconds = time_left(seconds, seconds_used);
    if (left.seconds == 0) left.seconds = std::numeric_limits<double>::min();
    return left;
  }
};

// Fills in what was left open: three quarters of the machine's memory, so that a run which grows too large
// ends with its best answer instead of being killed, and all threads of the machine if threads is 0.
Limits on_this_machine(Limits limits);

// All threads of the machine: the default of the library's calls.
inline Limits whole_machine() {
  Limits limits;
  limits.threads = 0;
  return limits;
}

// Why a computation ended before its natural end.
enum class StopReason : std::uint8_t { none, time, memory, interrupted, too_large };
std::string_view stop_reason_text(StopReason reason);  // "time limit"; empty for none

// Thrown out of work that has no result yet, for a caller that can report what is known so far. The watch
// knows the reason.
struct LimitReached {};

// Detects when a limit is reached. The first reason is kept. Thread-safe, except restart().
class LimitWatch {
 public:
  explicit LimitWatch(const Limits& limits);  // starts the clock; copies the limits
  void restart(const Limits& limits);         // as if newly constructed; no other thread may use it meanwhile

  // Waits for its turn if it takes turns, then checks the interrupt flag and the clock. Once a limit is
  // reached it stays true.
  bool should_stop();

  // `bytes` is what the caller holds plus what it is about to allocate, beyond what the process used when the
  // watch was made. Returns true if that is too much; should_stop() is then true as well.
  bool exceeds_memory(std::size_t bytes);

  // The same two checks, for work that ends by throwing LimitReached.
  void check_time() {
    if (should_stop()) throw LimitReached();
  }
  void check_memory(std::size_t bytes) {
    if (exceeds_memory(bytes)) throw LimitReached();
  }

  // For work that does not count its allocations: throws LimitReached if should_stop(), or if the process
  // holds more memory than allowed, which is checked a hundred times per second.
  void check();

  void stop(StopReason reason);  // only the first reason is kept
  StopReason reason() const { return reason_.load(std::memory_order_relaxed); }
  double seconds() const { return stopwatch_.seconds(); }
  std::size_t process_bytes(std::size_t bytes) const { return bytes_at_start_ + bytes; }
  const Limits& limits() const { return limits_; }

 private:
  Limits limits_;
  Stopwatch stopwatch_;
  std::size_t bytes_at_start_;
  std::atomic<double> next_memory_look_ = 0;
  std::atomic<StopReason> reason_ = StopReason::none;
};

// Bytes of memory: of the machine (or what the control group of this process may use, if less), and held by
// this process now and at its peak. 0 if the system does not say.
std::size_t machine_memory();
std::size_t resident_memory();
std::size_t peak_resident_memory();

}  // namespace bnnplan
