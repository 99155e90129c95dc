#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "compare/matrix.hpp"
#include "compare/run_record.hpp"

namespace bnnplan {

// One run in a process of its own. A run that was interrupted has status "interrupted".
RunRecord measure(const Entrant& entrant, const Task& task, const BenchSettings& settings,
                  const std::atomic<bool>* interrupt);

// What is still to do, in the order in which it is done.
struct PlannedRun {
  std::size_t task = 0, entrant = 0;
  int repetition = 1;
};

// All pairs, repetition by repetition and task by task, so that whatever disturbs the machine for a while
// disturbs all entrants; who begins changes from task to task. What `done` has already (for the same
// digest) is left out, and so are repetitions of runs that were not solved.
std::vector<PlannedRun> plan_runs(const std::vector<Task>& tasks, const std::vector<Entrant>& entrants,
                                  int repetitions, const std::vector<RunRecord>& done);

// Those of `done` that belong to these tasks (same digest) and entrants.
std::vector<RunRecord> relevant_runs(const std::vector<RunRecord>& done, const std::vector<Task>& tasks,
                                     const std::vector<Entrant>& entrants);

// Seconds the planned runs from `next` on will take: what an entrant's runs took so far, on average.
double seconds_left(const std::vector<PlannedRun>& planned, std::size_t next,
                    const std::vector<Entrant>& entrants, const std::vector<RunRecord>& done,
                    const BenchSettings& settings);

}  // namespace bnnplan
