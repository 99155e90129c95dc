#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/engines/result_file.hpp"
#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::reporting {

// What a checked proof shows about plans with this number of steps.
struct ReportProof {
  std::string file;
  std::optional<std::int64_t> optimum;  // the cost of an optimal plan; nothing: there is no plan
};

// What the actions of a plan do in the true domain.
struct WorldCourse {
  // From the initial one, as bits of the problem; variables that the domain does not have are taken from the
  // plan. Fewer than the plan has if the domain refuses a step.
  std::vector<BitValues> states;
  std::vector<std::string> rewards;  // of each step that was taken
  std::string reward;                // their sum
  int parts = 0;           // the first step after which the states of plan and domain differ; 0 if none
  std::string difference;  // how: "x is 1 in the plan and 0 in the domain, ..."
  std::string violation;   // why the domain refuses the plan; "" if it does not
  std::string start;       // how the initial state differs from that of the instance; "" if it does not
};

// A result file, as `plan -o` or `plan --json` wrote it (or any plan file), with its plan replayed.
struct ReportPlan {
  std::string file;
  int horizon = 0;
  engines::ResultClaims claims;
  std::optional<WorldCourse> world;  // if it was replayed in the true domain
  std::optional<Plan> plan;          // with all values; nothing if the result has no plan
  std::int64_t cost = 0;             // recomputed
  std::vector<std::int64_t> step_costs;
  std::optional<ReportProof> proved;  // nothing if no proof was given for this number of steps

  // The domain's reward for the plan: as replayed, or else as the file claims; "" if neither gives one, and
  // if the domain refuses the plan.
  std::string domain_reward() const {
    if (!world) return claims.domain_reward;
    return world->violation.empty() ? world->reward : "";
  }
};

// A plan or a proof that the checker refuses. what() is one line: the file, and what is wrong.
struct RefusedReport : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads a result for the problem; its horizon is the number of steps of the plan, regardless of the
// problem's. Throws InputError, and RefusedReport.
ReportPlan parse_report_plan(std::string_view text, std::string_view file_name, const Problem& problem);

// Checks a proof against the problem, and records what it proves in those plans whose number of steps it is
// about. Throws RefusedReport if it is wrong, about another problem or horizon, or proves neither an optimum
// nor that there is no plan.
void add_report_proof(std::string_view proof, const std::string& file_name, const Problem& problem,
                      std::vector<ReportPlan>& plans);

}  // namespace bnnplan::reporting
