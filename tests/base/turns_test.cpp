// Threads that take turns: one at a time, each gets its turn, and a thread that leaves or is interrupted does
// not block the others.
#include "bnnplan/base/turns.hpp"

#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "bnnplan/base/limits.hpp"

namespace bnnplan {
namespace {

TEST(Turns, OneWorksAtATimeAndAllComeToTheirTurn) {
  Turns turns(0.001);
  std::atomic<int> working = 0, most = 0;
  std::atomic<bool> interrupt = false;
  constexpr int members = 3;
  int changes[members] = {};
  std::atomic<int> last = -1, finished = 0;
  std::vector<std::size_t> numbers;
  for (int i = 0; i < members; ++i) numbers.push_back(turns.join());
  std::vector<std::thread> threads;
  for (int i = 0; i < members; ++i) {
    threads.emplace_back([&, i] {
      // None leaves before all have had theirs: who starts late is behind the others, and alone there are no
      // turns.
      while (finished < members) {
        turns.wait(numbers[static_cast<std::size_t>(i)], &interrupt);
        most = std::max<int>(most, ++working);
        if (last.exchange(i) != i && ++changes[i] == 5) ++finished;
        --working;
      }
      turns.leave(numbers[static_cast<std::size_t>(i)]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 1);
  for (const int count : changes) EXPECT_GE(count, 5);
}

TEST(Turns, WhoJoinsLateGetsTheTurnOfWhoHasLeft) {
  Turns turns(1000);
  turns.leave(turns.join());
  const std::size_t late = turns.join();
  turns.wait(late, nullptr);  // does not wait
  EXPECT_EQ(late, 1u);
}

TEST(Turns, AnInterruptEndsTheWait) {
  Turns turns(1000);
  turns.join();
  Limits limits;
  std::atomic<bool> interrupt = false;
  limits.interrupt = &interrupt;
  limits.turn = {&turns, turns.join()};
  LimitWatch watch(limits);
  std::thread other([&] { interrupt = true; });
  EXPECT_TRUE(watch.should_stop());
  EXPECT_EQ(watch.reason(), StopReason::interrupted);
  other.join();
}

TEST(Stopwatch, TimeLeftIsNeverNegative) {
  EXPECT_EQ(time_left(3.0, 1.0), 2.0);
  EXPECT_EQ(time_left(3.0, 4.0), 0.0);
  EXPECT_EQ(time_left(std::nullopt, 4.0), std::nullopt);
}

}  // namespace
}  // namespace bnnplan
