// A turn costs one look at the clock. Waiting threads check their interrupt flag a hundred times per second.
#include "bnnplan/base/turns.hpp"

#include <chrono>

namespace bnnplan {

namespace {

constexpr std::chrono::milliseconds between_looks(10);

}  // namespace

std::size_t Turns::join() {
  const std::lock_guard lock(mutex_);
  there_.push_back(true);
  if (there_.size() == 1 || !there_[current_]) {
    current_ = there_.size() - 1;
    slice_end_ = clock_.seconds() + slice_;
  }
  return there_.size() - 1;
}

void Turns::wait(std::size_t member, const std::atomic<bool>* interrupt) {
  if (current_ == member && clock_.seconds() < slice_end_) return;
  std::unique_lock lock(mutex_);
  if (current_ == member) pass_on();
  const auto interrupted = [&] { return interrupt != nullptr && interrupt->load(std::memory_order_relaxed); };
  while (current_ != member && !interrupted()) changed_.wait_for(lock, between_looks);
}

void Turns::leave(std::size_t member) {
  const std::lock_guard lock(mutex_);
  there_[member] = false;
  if (current_ == member) pass_on();
}

void Turns::pass_on() {
  for (std::size_t i = 1; i <= there_.size(); ++i) {
    const std::size_t next = (current_ + i) % there_.size();
    if (!there_[next]) continue;
    current_ = next;
    break;
  }
  slice_end_ = clock_.seconds() + slice_;
  changed_.notify_all();
}

}  // namespace bnnplan
