#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "base/stopwatch.hpp"
#include "base/turns.hpp"

namespace bnnplan {

// What a computation may use. `interrupt` may be set by a signal handler or another thread at any time.
struct Limits {
  std::optional<double> seconds;
  std::size_t memory_bytes = std::numeric_limits<std::size_t>::max();  // of the whole process
  unsigned threads = 1;
  std::uint64_t seed = 0;
  const std::atomic<bool>* interrupt = nullptr;
  Turn turn = {};  // if others work on the same core; one thread then
};

// Why a computation ended before its natural end.
enum class StopReason : std::uint8_t { none, time, memory, interrupted, too_large };
std::string_view stop_reason_text(StopReason reason);  // "time limit"; empty for none

// Thrown out of work that has no answer yet, for the caller that can say what is known so far. The watch knows the reason.
struct LimitReached {};

// Says when a limit is reached. The first reason stays. Threads may share one.
class LimitWatch {
 public:
  explicit LimitWatch(const Limits& limits);  // the clock starts here; keeps a copy of limits
  void restart(const Limits& limits);         // as if it were new; no other thread may use it meanwhile

  // Waits for its turn, if it has to take turns; looks at the interrupt flag and the clock; true from the first reached limit on.
  bool should_stop();

  // `bytes` is what the caller holds and what it is about to allocate, beyond what the process used when the
  // watch was made. True if that is too much, and then should_stop() is true as well.
  bool exceeds_memory(std::size_t bytes);

  // The same two, for work that ends by LimitReached.
  void check_time() {
    if (should_stop()) throw LimitReached();
  }
  void check_memory(std::size_t bytes) {
    if (exceeds_memory(bytes)) throw LimitReached();
  }

  // For work that does not count what it allocates: throws LimitReached if should_stop(), or if the process
  // holds more memory than it may, which is looked at a hundred times a second.
  void check();

  void stop(StopReason reason);  // the first reason stays
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

// Bytes of memory: in the machine (or what the control group of this process may use, if less), and held by
// this process now and at its peak. 0 where the system does not say.
std::size_t machine_memory();
std::size_t resident_memory();
std::size_t peak_resident_memory();

}  // namespace bnnplan
