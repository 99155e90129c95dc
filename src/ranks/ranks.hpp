#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bnnplan {

// What the processes of a distributed computation, its ranks, do together. Every function below is called by all of them, in
// the same order, and returns when all have come to it. A rank that cannot go on ends the whole job: there is no other error.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual int rank() const = 0;  // 0 .. size() - 1
  virtual int size() const = 0;

  // Sends to[r] to rank r, the own one included, and returns what all have sent here, rank after rank.
  virtual std::vector<std::uint64_t> exchange(const std::vector<std::vector<std::uint64_t>>& to) = 0;

  // Replaces each value by the least, or by the sum, of all ranks.
  virtual void minimum(std::span<std::int64_t> values) = 0;
  virtual void sum(std::span<std::int64_t> values) = 0;

  // Gives all ranks the words of this one.
  virtual void broadcast(int from, std::vector<std::uint64_t>& words) = 0;
};

}  // namespace bnnplan
