// A loop shared by threads: items are taken from one counter, helpers sleep on a round number in between
// (std::atomic::wait, a futex), so a round costs some microseconds. Callers give it a few hundred evaluations
// at least.
#include "base/worker_pool.hpp"

namespace bnnplan {

WorkerPool::WorkerPool(unsigned threads) : threads_(threads == 0 ? 1 : threads) {}

WorkerPool::~WorkerPool() {
  ending_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void WorkerPool::run(std::size_t items, const std::function<void(unsigned, std::size_t)>& work) {
  if (threads_ == 1 || items <= 1) {
    for (std::size_t i = 0; i < items; ++i) work(0, i);
    return;
  }
  while (helpers_.size() + 1 < threads_) {
    helpers_.emplace_back([this, worker = static_cast<unsigned>(helpers_.size() + 1)] { serve(worker); });
  }
  work_ = &work;
  items_ = items;
  next_item_ = 0;
  busy_ = static_cast<std::uint32_t>(helpers_.size());
  ++round_;
  round_.notify_all();
  take_items(0);
  for (std::uint32_t busy = busy_; busy != 0; busy = busy_) busy_.wait(busy);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void WorkerPool::serve(unsigned worker) {
  std::uint32_t seen = 0;
  while (true) {
    round_.wait(seen);
    // Rounds follow each other only when all helpers have finished, so none is missed.
    ++seen;
    if (ending_) return;
    take_items(worker);
    if (--busy_ == 0) busy_.notify_one();
  }
}

void WorkerPool::take_items(unsigned worker) {
  for (std::size_t item = next_item_++; item < items_; item = next_item_++) {
    try {
      (*work_)(worker, item);
    } catch (...) {
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
}

}  // namespace bnnplan
