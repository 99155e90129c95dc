#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "bnnplan/base/limits.hpp"

namespace bnnplan::cli {

// Keeps the limits for work that does not: reading a huge file, or a phase in which an engine does not look
// at the clock. Work that keeps them itself ends first, in its own way. Shortly after a limit, or an
// interrupt, `end` is called in another thread; it tells what is known and returns the exit code, and the
// program ends there and then. Not while `saving` says that the work is still writing what it has: then it
// waits, and gives the work some seconds to notice that it has to end.
class Watchdog {
 public:
  Watchdog(const Limits& limits, std::function<int(StopReason)> end,
           const std::atomic<bool>* saving = nullptr);  // limits.seconds from now on
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();  // the work has ended; does not return if the program is about to end

 private:
  void watch();
  StopReason passed_limit(std::size_t memory);
  [[noreturn]] void end(StopReason reason);

  Limits limits_;
  std::function<int(StopReason)> end_;
  const std::atomic<bool>* saving_;
  Stopwatch stopwatch_;
  double interrupted_at_ = 0;       // 0: not yet
  std::optional<double> saved_at_;  // when the work was last seen saving
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace bnnplan::cli
