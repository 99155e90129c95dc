#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace bnnplan {

// Threads that work on the items of one loop at a time. They are started when first needed.
class WorkerPool {
 public:
  // At least 1: the calling thread works too. An eager pool is for rounds of well below a millisecond in
  // quick succession: a waiting thread spins for a while before it goes to sleep.
  explicit WorkerPool(unsigned threads, bool eager = false);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool();

  unsigned size() const { return threads_; }

  // Calls work(worker, item) once for each item < items, from up to size() threads, and returns when all are
  // done. Rethrows the exception of one of the calls, if any threw.
  void run(std::size_t items, const std::function<void(unsigned worker, std::size_t item)>& work);

 private:
  void serve(unsigned worker);
  void take_items(unsigned worker);

  void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) const;

  unsigned threads_;
  bool eager_;
  std::vector<std::thread> helpers_;
  const std::function<void(unsigned, std::size_t)>* work_ = nullptr;
  std::size_t items_ = 0;
  std::atomic<std::size_t> next_item_ = 0;
  std::atomic<std::uint32_t> round_ = 0;  // incremented when there is work, or to end
  std::atomic<std::uint32_t> busy_ = 0;
  std::atomic<bool> ending_ = false;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace bnnplan
