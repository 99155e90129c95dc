#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/decimal.hpp"

namespace bnnplan::comparison {

// The result of one run.
struct RunRecord {
  std::string task, entrant, digest;
  int repetition = 0;  // from 1
  std::string status;  // optimal, plan, infeasible, unknown, error; refuted once judged (refutation.hpp)
  std::optional<Decimal> cost, lower_bound;
  double seconds = 0, cpu_seconds = 0;  // for an external solver, those of the solver alone
  double peak_mebibytes = 0;
  std::string message;  // why it stopped, or what went wrong

  bool solved() const { return status == "optimal" || status == "infeasible"; }
};

// One line each, with a header; texts are quoted.
std::string csv_header();
std::string csv_line(const RunRecord& run);

// Reads such a file. An incomplete last line is ignored. Throws InputError.
std::vector<RunRecord> parse_runs_csv(std::string_view text, std::string_view file_name);

}  // namespace bnnplan::comparison
