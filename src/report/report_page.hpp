#pragma once

#include <string>
#include <vector>

#include "bnnplan/problem/problem.hpp"
#include "bnnplan/report/report_plan.hpp"

namespace bnnplan::reporting {

// One self-contained HTML page about a problem and plans for it: the question, the answers, the plans step by
// step, the bounds over time, the network at every step. It makes the browser fetch nothing. Requires at
// least one plan; `problem_file` is how the user named the problem.
std::string report_page(const Problem& problem, const std::string& problem_file,
                        const std::vector<ReportPlan>& plans);

// The data of the page as one JSON object (docs/report.md).
std::string report_data(const Problem& problem, const std::string& problem_file,
                        const std::vector<ReportPlan>& plans);

}  // namespace bnnplan::reporting
