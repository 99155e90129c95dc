#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bnnplan/compare/matrix.hpp"
#include "bnnplan/compare/run_record.hpp"

namespace bnnplan::comparison {

struct EntrantScore {
  std::string entrant;
  std::size_t problems = 0, solved = 0, refuted = 0;
  double par2 = 0;   // mean CPU time over the problems, with twice the limit for unsolved ones
  double total = 0;  // over the problems it solved
  double ratio = 1;  // of its PAR-2 to the best one
};

// One score per entrant, best first (by solved, then by PAR-2), over the tasks of a family or over all. The
// time on a task is the median of the repetitions; it is solved only if all of them solved it within the
// limit. Runs must have been judged by with_refutations (refutation.hpp): a refuted run counts as unsolved.
std::vector<EntrantScore> scores(const std::vector<Task>& tasks, const std::vector<Entrant>& entrants,
                                 const std::vector<RunRecord>& runs, double limit,
                                 const std::string& family = "");

// The same for a terminal: per family, if there are several, and over all tasks.
std::string score_table(const std::vector<Task>& tasks, const std::vector<Entrant>& entrants,
                        const std::vector<RunRecord>& runs, double limit);

// Contradictions: optima that differ, plans cheaper than what an entrant proved, plans for what an entrant
// proved infeasible (all of them refuted runs); and runs that failed. One line each; no lines mean that all
// agree.
std::vector<std::string> disagreements(const std::vector<RunRecord>& runs);
std::vector<std::string> failures(const std::vector<RunRecord>& runs);

}  // namespace bnnplan::comparison
