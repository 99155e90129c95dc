#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/ranks/ranks.hpp"

namespace bnnplan::mpi {

// The processes that `mpirun` or `srun` started. One of these in a program, before anything else that uses
// MPI, and to its end.
class MpiRanks : public ranks::Ranks {
 public:
  MpiRanks(int& argc, char**& argv);
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  ~MpiRanks() override;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int ranks_of_this_machine() const { return neighbours_; }  // the own one included

  std::vector<std::uint64_t> exchange(const std::vector<std::vector<std::uint64_t>>& to) override;
  void minimum(std::span<std::int64_t> values) override;
  void sum(std::span<std::int64_t> values) override;
  void broadcast(int from, std::vector<std::uint64_t>& words) override;

  // One rank to another. receive() does not wait: it returns the rank that has sent, or nothing if none has.
  void send(int to, const std::vector<std::uint64_t>& words);
  std::optional<int> receive(std::vector<std::uint64_t>& words);

  // Ends all ranks at once, with this exit code.
  [[noreturn]] static void end_all(int exit_code);

 private:
  int rank_ = 0, size_ = 1, neighbours_ = 1;
  std::vector<int> counts_, places_, received_counts_, received_places_;
};

}  // namespace bnnplan::mpi
