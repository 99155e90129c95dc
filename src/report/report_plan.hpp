#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "problem/plan.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// A result file, as `plan -o` or `plan --json` wrote it (or any plan file), with its plan replayed. Numbers
// that only the file knows are kept as the text it has.
struct ReportPlan {
  std::string file;
  int horizon = 0;
  std::string status, engine, claimed_by, stopped, proof;  // empty where the file does not say
  std::string seconds, lower_bound;                        // likewise
  std::vector<std::array<std::string, 3>> bounds;          // seconds, lower, upper; "null" where unknown
  std::vector<std::pair<std::string, std::string>> statistics;
  std::optional<Plan> plan;  // says everything; nothing if the result has no plan
  std::int64_t cost = 0;     // recomputed
  std::vector<std::int64_t> step_costs;
};

// A plan that the checker refuses. what() is one line: the file, and the violation.
struct RefusedReportPlan : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads a result for the problem; its horizon is the number of steps of the plan, whatever the problem says.
// Throws InputError, and RefusedReportPlan.
ReportPlan read_report_plan(const std::filesystem::path& path, const Problem& problem);
ReportPlan parse_report_plan(std::string_view text, std::string_view file_name, const Problem& problem);

}  // namespace bnnplan
