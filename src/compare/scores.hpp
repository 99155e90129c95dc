#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/matrix.hpp"
#include "compare/run_record.hpp"

namespace bnnplan {

enum class Measure : std::uint8_t { cpu, wall };

// The time each entrant took on each task: the median of its repetitions; nothing if it did not solve it
// every time (or has not run). Runs must have been judged by with_refutations (refutation.hpp): a refuted run
// counts as unsolved.
struct TimeTable {
  std::vector<Task> tasks;
  std::vector<Entrant> entrants;
  std::vector<std::vector<std::optional<double>>> seconds;  // [entrant][task]
  std::vector<std::vector<bool>> refuted;                   // [entrant][task]: a claim was refuted
  double limit = 0;
};
TimeTable time_table(const std::vector<Task>& tasks, const std::vector<Entrant>& entrants,
                     const std::vector<RunRecord>& runs, const BenchSettings& settings, Measure measure);

struct EntrantScore {
  std::size_t entrant = 0;
  std::size_t solved = 0, refuted = 0;
  double par2 = 0;   // mean time over the tasks, with twice the limit for unsolved ones
  double total = 0;  // over the tasks it solved
  double ratio = 1;  // of its PAR-2 to the best one
};

// One score per entrant, best first (by solved, then by PAR-2), over the tasks of a family or over all.
std::vector<EntrantScore> scores(const TimeTable& table, const std::string& family = "");

std::vector<std::string> families_of(const std::vector<Task>& tasks);  // in order of occurrence

// Contradictions: optima that differ, plans cheaper than what an entrant proved, plans for what an entrant
// proved infeasible (all of them refuted runs); and runs that failed. One line each; no lines mean that all
// agree.
std::vector<std::string> disagreements(const std::vector<RunRecord>& runs);
std::vector<std::string> failures(const std::vector<RunRecord>& runs);

}  // namespace bnnplan
