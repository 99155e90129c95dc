#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bnnplan::ranks {

// Collective operations of the processes of a distributed computation, its ranks. Every function below is
// called by all of them, in the same order, and returns when all have called it. A rank that cannot continue
// ends the whole job: there is no other error.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;  // 0 .. size() - 1
  virtual int size() const = 0;

  // Sends to[r] to rank r, including itself, and returns what all have sent here, ordered by rank.
  virtual std::vector<std::uint64_t> exchange(const std::vector<std::vector<std::uint64_t>>& to) = 0;

  // Replaces each value by the minimum, or by the sum, over all ranks.
  virtual void minimum(std::span<std::int64_t> values) = 0;
  virtual void sum(std::span<std::int64_t> values) = 0;

  // Gives all ranks the words of rank `from`.
  virtual void broadcast(int from, std::vector<std::uint64_t>& words) = 0;
};

}  // namespace bnnplan::ranks
