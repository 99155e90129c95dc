#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/matrix.hpp"
#include "compare/run_record.hpp"

namespace bnnplan {

enum class Measure : std::uint8_t { cpu, wall };

// The time each entrant took on each task: the median of its repetitions; nothing if it did not solve it
// every time (or has not run). Runs are those that with_refutations (refutation.hpp) has judged: whose claim
// was refuted has solved nothing.
struct TimeTable {
  std::vector<Task> tasks;
  std::vector<Entrant> entrants;
  std::vector<std::vector<std::optional<double>>> seconds;  // [entrant][task]
  std::vector<std::vector<bool>> refuted;                   // likewise: a claim was
  double limit = 0;
};
TimeTable time_table(const std::vector<Task>& tasks, const std::vector<Entrant>& entrants,
                     const std::vector<RunRecord>& runs, const BenchSettings& settings, Measure measure);

struct EntrantScore {
  std::size_t entrant = 0;
  std::size_t solved = 0, refuted = 0;
  double par2 = 0;   // mean over the tasks of its time, or twice the limit where it did not solve
  double total = 0;  // over the tasks it solved
  double ratio = 1;  // of its PAR-2 to the best one
};

// One score per entrant, best first (by solved, then by PAR-2), over the tasks of a family or over all.
std::vector<EntrantScore> scores(const TimeTable& table, const std::string& family = "");

std::vector<std::string> families_of(const std::vector<Task>& tasks);  // in their order

// What does not fit together: optima that differ, plans cheaper than what somebody proved, plans of what
// somebody proved infeasible (all of them refuted runs), runs that failed. One line each; nothing means that
// all agree.
std::vector<std::string> disagreements(const std::vector<RunRecord>& runs);
std::vector<std::string> failures(const std::vector<RunRecord>& runs);

}  // namespace bnnplan
