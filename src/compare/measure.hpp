#pragma once

#include <cstddef>
#include <vector>

#include "bnnplan/compare/matrix.hpp"
#include "bnnplan/compare/run_record.hpp"

namespace bnnplan::comparison {

// One run in its own process. A run that was interrupted has status "interrupted".
RunRecord measure(const Entrant& entrant, const Task& task, const BenchOptions& options);

// A run that is still to be done; the list is in the order of execution.
struct PlannedRun {
  std::size_t task = 0, entrant = 0;
  int repetition = 1;
};

// All pairs, repetition by repetition and task by task, so that a temporary disturbance of the machine
// affects all entrants; the first entrant changes from task to task. Skips runs that `done` already has (for
// the same digest), and repetitions of runs that were not solved.
std::vector<PlannedRun> plan_runs(const std::vector<Task>& tasks, const std::vector<Entrant>& entrants,
                                  int repetitions, const std::vector<RunRecord>& done);

// The runs of `done` that belong to these tasks (same digest) and entrants.
std::vector<RunRecord> relevant_runs(const std::vector<RunRecord>& done, const std::vector<Task>& tasks,
                                     const std::vector<Entrant>& entrants);

// Estimates the seconds that the planned runs from `next` on will take, by the average of the entrant's runs
// so far.
double seconds_left(const std::vector<PlannedRun>& planned, std::size_t next,
                    const std::vector<Entrant>& entrants, const std::vector<RunRecord>& done,
                    const BenchOptions& options);

}  // namespace bnnplan::comparison
