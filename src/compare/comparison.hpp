#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "compare/scores.hpp"

namespace bnnplan {

struct ComparisonRequest {
  std::vector<Task> tasks;        // names all different
  std::vector<Entrant> entrants;  // likewise
  BenchSettings settings;
  Measure measure = Measure::cpu;
  std::filesystem::path folder;  // of results; made if it is not there
  bool fresh = false;            // forget what is there
  std::vector<std::string> notes;
  std::vector<std::string> scatter;  // names of two entrants; empty: the best two, of ours and of others
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const std::string& text)> progress;  // before each run: what, and the time left
};

struct ComparisonResult {
  bool interrupted = false;
  TimeTable table;
  std::vector<RunRecord> runs;
  std::vector<std::string> disagreements, failures;
};

// Runs everything that is not in the folder yet, and writes there: runs.csv (as they come), results.csv,
// results.json, RESULTS.md, cactus.svg, scatter.svg, horizon.svg. Throws InputError, also if the folder holds
// runs by other rules.
ComparisonResult compare(const ComparisonRequest& request);

}  // namespace bnnplan
