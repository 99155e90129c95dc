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
  std::vector<Entrant> entrants;  // names all different
  BenchSettings settings;
  Measure measure = Measure::cpu;
  std::filesystem::path folder;  // of results; created if it does not exist
  bool fresh = false;            // discard existing results
  std::vector<std::string> notes;
  // Names of two entrants; empty: our best and the best other, or the best two.
  std::vector<std::string> scatter;
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const std::string& text)> progress;  // before each run: what is next, and the time left
};

struct ComparisonResult {
  bool interrupted = false;
  TimeTable table;
  std::vector<RunRecord> runs;
  std::vector<std::string> disagreements, failures;
};

// Runs everything that is not in the folder yet, and writes there: runs.csv (one line after each run),
// results.csv, results.json, RESULTS.md, cactus.svg, scatter.svg, horizon.svg. Throws InputError, also if the
// folder holds runs made under other rules.
ComparisonResult compare(const ComparisonRequest& request);

}  // namespace bnnplan
