#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

#include "bnnplan/base/stopwatch.hpp"

namespace bnnplan {

// Threads that share one core: one works while the others wait. Each works for a slice of time, then the next
// one does. A thread changes places where it checks its limits anyway (LimitWatch::should_stop), so the work
// itself need not know.
class Turns {
 public:
  explicit Turns(double slice_seconds) : slice_(slice_seconds) {}

  // Adds a member and returns its number. The first one has the first turn.
  std::size_t join();

  // Waits for the turn of `member`; if its slice is over, passes the turn on and waits for it to come back.
  // Returns at once when `interrupt` is true.
  void wait(std::size_t member, const std::atomic<bool>* interrupt);

  // The member is done: the others share all the time.
  void leave(std::size_t member);

 private:
  void pass_on();  // from current_ to the next active member

  double slice_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> there_;
  std::atomic<std::size_t> current_ = 0;
  std::atomic<double> slice_end_ = 0;  // on clock_
  Stopwatch clock_;
};

}  // namespace bnnplan
