#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "bnnplan/mpi/mpi_ranks.hpp"

namespace bnnplan::mpi {

// A piece of work for one process: a name, and what to run.
struct WorkItem {
  std::string name;
  std::vector<std::string> command;
};

struct WorkResult {
  std::size_t item = 0;
  int exit_code = -1;        // of its process; -1: it was killed, or could not be started, each time
  int rank = 0;              // that has done it
  double seconds = 0;        // wall time
  std::string output;        // what it printed,
  std::string errors;        // and the end of what it said was wrong
  bool interrupted = false;  // it was stopped because the job is to end: nothing is known of it
};

// Rank 0 gives the items to the others, one at a time, and they run them; alone it runs them itself. A
// process that is killed is started again, by any free rank, three times in all. `done` is called on rank
// 0, once for each item, as soon as its result is there. Returns on all ranks when all items are done, or,
// after the interrupt of any of them, when no rank is working any more; then false.
bool hand_out(MpiRanks& ranks, const std::vector<WorkItem>& items, const std::atomic<bool>* interrupt,
              const std::function<void(const WorkResult&)>& done);

}  // namespace bnnplan::mpi
