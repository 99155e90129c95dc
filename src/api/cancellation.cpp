// Engines look at a flag because that costs nothing and may be set by a signal handler. A function of the user's may take
// long or not be safe to call from the threads of an engine, so it is called from one thread, which does nothing else.
#include "api/cancellation.hpp"

#include <chrono>
#include <utility>

namespace bnnplan {

Cancellation::Cancellation(std::function<bool()> cancelled, const std::atomic<bool>* other)
    : cancelled_(std::move(cancelled)), other_(other) {
  if (cancelled_) thread_ = std::thread([this] { ask(); });
}

Cancellation::~Cancellation() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Cancellation::ask() {
  constexpr std::chrono::milliseconds interval(20);
  const auto answer = [&] {
    if (other_ != nullptr && *other_) return true;
    try {
      return cancelled_();
    } catch (...) {
      return true;  // nobody is there to catch it, and whoever throws does not want the run to go on
    }
  };
  std::unique_lock lock(mutex_);
  while (!done_) {
    lock.unlock();
    const bool cancel = answer();
    lock.lock();
    if (cancel) {
      flag_ = true;
      return;
    }
    changed_.wait_for(lock, interval, [this] { return done_; });
  }
}

}  // namespace bnnplan
