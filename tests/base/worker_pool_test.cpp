#include "bnnplan/base/worker_pool.hpp"

#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

namespace bnnplan {
namespace {

TEST(WorkerPool, EveryItemOnceInEveryRound) {
  for (const auto& [threads, eager] :
       {std::pair(1u, false), {2u, false}, {2u, true}, {5u, false}, {5u, true}}) {
    WorkerPool pool(threads, eager);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> counts(static_cast<std::size_t>(round));
      pool.run(counts.size(), [&](unsigned worker, std::size_t item) {
        EXPECT_LT(worker, pool.size());
        ++counts[item];
      });
      for (const auto& count : counts) ASSERT_EQ(count, 1);
    }
    EXPECT_THROW(pool.run(10,
                          [](unsigned, std::size_t item) {
                            if (item == 7) throw std::runtime_error("7");
                          }),
                 std::runtime_error);
    pool.run(3, [](unsigned, std::size_t) {});
  }
}

}  // namespace
}  // namespace bnnplan
