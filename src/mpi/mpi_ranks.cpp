// Ranks by MPI. Everything is a collective call on all processes: bulk, in the same order everywhere, and
// errors end the job, which is what MPI does by itself. An exchange takes two calls: how much, then what.
// Counts of MPI 3 are ints, so that more than 2^31 words to one rank, 16 GiB, would be too many; rounds of a
// search are far smaller.
#include "bnnplan/mpi/mpi_ranks.hpp"

#include <cstdlib>
#include <limits>
#include <stdexcept>

#include <mpi.h>

namespace bnnplan::mpi {

MpiRanks::MpiRanks(int& argc, char**& argv) {
  int given = 0;
  // Only the thread that called this speaks to others; those that evaluate do not.
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &neighbours_);
  MPI_Comm_free(&machine);
  const auto size = static_cast<std::size_t>(size_);
  for (auto* numbers : {&counts_, &places_, &received_counts_, &received_places_}) numbers->resize(size);
}

MpiRanks::~MpiRanks() { MPI_Finalize(); }

std::vector<std::uint64_t> MpiRanks::exchange(const std::vector<std::vector<std::uint64_t>>& to) {
  std::vector<std::uint64_t> sent, received;
  std::size_t total = 0;
  for (const auto& words : to) total += words.size();
  if (total > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::length_error("more is to be sent at once than MPI takes");
  sent.reserve(total);
  for (std::size_t i = 0; i < to.size(); ++i) {
    places_[i] = static_cast<int>(sent.size());
    counts_[i] = static_cast<int>(to[i].size());
    sent.insert(sent.end(), to[i].begin(), to[i].end());
  }
  MPI_Alltoall(counts_.data(), 1, MPI_INT, received_counts_.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::size_t place = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    received_places_[i] = static_cast<int>(place);
    place += static_cast<std::size_t>(received_counts_[i]);
  }
  if (place > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw std::length_error("more is to be received at once than MPI takes");
  received.resize(place);
  MPI_Alltoallv(sent.data(), counts_.data(), places_.data(), MPI_UINT64_T, received.data(),
                received_counts_.data(), received_places_.data(), MPI_UINT64_T, MPI_COMM_WORLD);
  return received;
}

void MpiRanks::minimum(std::span<std::int64_t> values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MIN,
                MPI_COMM_WORLD);
}

void MpiRanks::sum(std::span<std::int64_t> values) {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM,
                MPI_COMM_WORLD);
}

void MpiRanks::broadcast(int from, std::vector<std::uint64_t>& words) {
  std::uint64_t size = words.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, from, MPI_COMM_WORLD);
  words.resize(size);
  MPI_Bcast(words.data(), static_cast<int>(size), MPI_UINT64_T, from, MPI_COMM_WORLD);
}

void MpiRanks::send(int to, const std::vector<std::uint64_t>& words) {
  MPI_Send(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, to, 0, MPI_COMM_WORLD);
}

std::optional<int> MpiRanks::receive(std::vector<std::uint64_t>& words) {
  int there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  MPI_Get_count(&status, MPI_UINT64_T, &count);
  words.resize(static_cast<std::size_t>(count));
  MPI_Recv(words.data(), count, MPI_UINT64_T, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return status.MPI_SOURCE;
}

void MpiRanks::end_all(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();
}

}  // namespace bnnplan::mpi
