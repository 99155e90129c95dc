#pragma once

#include <string>
#include <vector>

#include "bnnplan/compare/matrix.hpp"
#include "bnnplan/compare/run_record.hpp"
#include "bnnplan/compare/scores.hpp"

namespace bnnplan::comparison {

struct BenchResult {
  bool interrupted = false;
  std::vector<RunRecord> runs;       // of these problems and entrants, also those of earlier calls
  std::vector<EntrantScore> scores;  // over all problems, best first
  std::string table;                 // the scores for a terminal, also per family
  // Contradictions between answers, and runs that failed: one line each.
  std::vector<std::string> disagreements, failures;
};

// Runs everything that is not in the folder yet, and writes there: runs.csv (one line after each run), and
// settings.json, which says how they were made; tools/bench-tables makes tables and pictures from both.
// Throws InputError, also if the folder has runs that were made under other rules.
BenchResult compare(const BenchOptions& options);

}  // namespace bnnplan::comparison
