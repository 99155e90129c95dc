#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bnnplan {

// One line of the index of a suite: a problem, its file, and what the planner found. Empty texts where there
// is nothing to say.
struct SuiteEntry {
  std::string name;   // navigation_3x3_4; with each file it has a line of its own
  std::string shape;  // of the network, 13:36:36:9
  std::int64_t horizon = 0;
  std::int64_t variables = 0, constraints = 0, neurons = 0;  // of the unrolled 0-1 model
  std::string file;                                          // in the folder of the index
  std::int64_t bytes = 0;
  std::string status;   // optimal, infeasible, plan, unknown
  std::string optimum;  // the cost if optimal
  std::string engine;
  std::string seconds;
  std::string problem;  // a fingerprint of problem and network
  std::string content;  // and one of the file

  friend bool operator==(const SuiteEntry&, const SuiteEntry&) = default;
};

// Comma-separated values with a header.
std::string suite_index_text(const std::vector<SuiteEntry>& entries);

// Throws InputError at file:line for anything that suite_index_text does not write.
std::vector<SuiteEntry> parse_suite_index(std::string_view text, std::string_view file_name);

}  // namespace bnnplan
