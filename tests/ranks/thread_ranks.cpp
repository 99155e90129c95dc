// Ranks without MPI: threads that meet at a barrier, so that everything above Ranks is tested under
// sanitizers and in no time.
#include "thread_ranks.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace bnnplan::testing {

namespace {

// Who waits sleeps: a barrier that looks again and again takes the processor from those that are waited for,
// where they are few.
class MeetingPoint {
 public:
  explicit MeetingPoint(int size) : size_(size) {}

  void arrive_and_wait() {
    std::unique_lock lock(mutex_);
    const std::uint64_t meeting = meeting_;
    if (++arrived_ == size_) {
      arrived_ = 0;
      ++meeting_;
      all_are_here_.notify_all();
    } else {
      all_are_here_.wait(lock, [&] { return meeting_ != meeting; });
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_are_here_;
  int size_, arrived_ = 0;
  std::uint64_t meeting_ = 0;
};

struct Meeting {
  explicit Meeting(int count) : size(count), barrier(count), words(count), all(count), values(count) {}
  int size;
  MeetingPoint barrier;
  std::vector<const std::vector<std::uint64_t>*> words;
  std::vector<const std::vector<std::vector<std::uint64_t>>*> all;
  std::vector<std::vector<std::int64_t>> values;
};

class ThreadRanks : public ranks::Ranks {
 public:
  ThreadRanks(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return meeting_.size; }

  std::vector<std::uint64_t> exchange(const std::vector<std::vector<std::uint64_t>>& to) override {
    meeting_.all[own()] = &to;
    meeting_.barrier.arrive_and_wait();
    std::vector<std::uint64_t> received;
    for (const auto* of : meeting_.all)
      received.insert(received.end(), (*of)[own()].begin(), (*of)[own()].end());
    meeting_.barrier.arrive_and_wait();
    return received;
  }

  void minimum(std::span<std::int64_t> values) override {
    reduce(values, [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
  }
  void sum(std::span<std::int64_t> values) override {
    reduce(values, [](std::int64_t a, std::int64_t b) { return a + b; });
  }

  void broadcast(int from, std::vector<std::uint64_t>& words) override {
    meeting_.words[own()] = &words;
    meeting_.barrier.arrive_and_wait();
    const std::vector<std::uint64_t> copy = *meeting_.words[static_cast<std::size_t>(from)];
    meeting_.barrier.arrive_and_wait();
    words = copy;
  }

 private:
  std::size_t own() const { return static_cast<std::size_t>(rank_); }

  template <class Combine>
  void reduce(std::span<std::int64_t> values, Combine combine) {
    meeting_.values[own()].assign(values.begin(), values.end());
    meeting_.barrier.arrive_and_wait();
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = meeting_.values[0][i];
      for (std::size_t rank = 1; rank < meeting_.values.size(); ++rank)
        values[i] = combine(values[i], meeting_.values[rank][i]);
    }
    meeting_.barrier.arrive_and_wait();
  }

  Meeting& meeting_;
  int rank_;
};

}  // namespace

void run_as_threads(int size, const std::function<void(ranks::Ranks&)>& act) {
  Meeting meeting(size);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadRanks ranks(meeting, rank);
      act(ranks);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace bnnplan::testing
