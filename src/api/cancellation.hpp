#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace bnnplan {

// A question as a flag, for work that looks at a flag: `cancelled` is asked fifty times a second by a thread of its own until
// it says yes. If there is no question there is no thread, and the flag is `other`.
class Cancellation {
 public:
  Cancellation(std::function<bool()> cancelled, const std::atomic<bool>* other);
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;
  ~Cancellation();  // waits for an answer that is being given

  const std::atomic<bool>* flag() const { return cancelled_ ? &flag_ : other_; }

 private:
  void ask();

  std::function<bool()> cancelled_;
  const std::atomic<bool>* other_;
  std::atomic<bool> flag_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace bnnplan
