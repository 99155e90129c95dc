// What a report needs from a result file. The plan goes through the plan reader and the checker; everything
// else (status, bounds, statistics) is only shown, as the file's claim, and entries of an unexpected kind are
// left out. Only a proof file proves anything, and it is checked here.
#include "bnnplan/report/report_plan.hpp"

#include <set>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/json_text.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/check/problem_proof.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/step_weights.hpp"

namespace bnnplan::reporting {

namespace {

constexpr std::size_t most_steps = 10'000;   // of a plan in a page that a browser can still show
constexpr std::size_t most_bounds = 20'000;  // points

void replay(const Problem& given, const JsonValue& root, ReportPlan& report) {
  Problem problem = given;
  const Plan plan = plan_of_json(root, report.file, problem);
  if (plan.steps.empty()) throw InputError(report.file, "the plan has no steps");
  if (plan.steps.size() > most_steps) {
    throw InputError(report.file, fmt::format("the plan has {} steps, expected at most {} for a page",
                                              plan.steps.size(), most_steps));
  }
  set_horizon(problem, static_cast<std::int64_t>(plan.steps.size()));
  checking::PlanCheck check = checking::check_plan(problem, plan);
  if (!check.accepted)
    throw RefusedReport(fmt::format("{}: refused: {}", printable(report.file), check.violation));
  report.horizon = problem.horizon;
  report.cost = check.cost;
  report.plan = std::move(check.plan);
  const StepWeights weights = step_weights(problem);
  for (const PlanStep& step : report.plan->steps) {
    StepValues values;
    values.action = step.action;
    values.next = step.state;
    const int t = static_cast<int>(report.step_costs.size()) + 1;
    report.step_costs.push_back(weights.of(t) *
                                (evaluate(problem.objective.terms, values) + problem.objective.constant));
  }
}

}  // namespace

ReportPlan parse_report_plan(std::string_view text, std::string_view file_name, const Problem& problem) {
  ReportPlan report;
  report.file = file_name;
  const JsonValue root = parse_json(text, report.file);
  // `plan --json` writes null if there is no plan.
  const JsonValue* steps = root.find("steps");
  if (steps != nullptr && steps->is_null()) {
    const JsonValue* horizon = root.find("horizon");
    const auto stated = horizon != nullptr ? decimal_of(*horizon) : std::nullopt;
    const bool fits = stated && stated->exponent >= 0 && stated->exponent <= 6 && Decimal{} < *stated &&
                      !(make_decimal(horizon_limit, 0) < *stated);
    report.horizon = fits ? static_cast<int>(scaled(*stated, 0)) : problem.horizon;
  } else {
    replay(problem, root, report);
  }
  report.claims = engines::result_claims(root);
  if (report.claims.bounds.size() > most_bounds) report.claims.bounds.resize(most_bounds);
  return report;
}

void add_report_proof(std::string_view proof, const std::string& file_name, const Problem& problem,
                      std::vector<ReportPlan>& plans) {
  const auto refuse = [&](std::string_view why) {
    throw RefusedReport(fmt::format("{}: refused: {}", printable(file_name), why));
  };
  // A proof does not state its horizon; it fits at most one, as the model's size differs for every other.
  std::set<int> horizons;
  for (const ReportPlan& report : plans) horizons.insert(report.horizon);
  std::string refusal;
  bool accepted = false;
  for (const int horizon : horizons) {
    if (horizon == 0) continue;
    Problem asked = problem;
    set_horizon(asked, horizon);
    const checking::ProblemProof shown = checking::check_proof(asked, proof);
    if (!shown.check.accepted) {
      if (refusal.empty()) refusal = shown.check.refusal;
      continue;
    }
    if (!shown.cost && shown.check.claim != checking::ProofCheck::Claim::infeasible)
      refuse("it proves neither that a plan is optimal nor that there is none");
    accepted = true;
    for (ReportPlan& report : plans) {
      if (report.horizon != horizon) continue;
      // The plan was replayed: if it beats what is proved, one of the two checkers is wrong.
      if (report.plan && (!shown.cost || report.cost < *shown.cost))
        throw std::logic_error(
            fmt::format("{} proves what the valid plan of {} contradicts", file_name, report.file));
      report.proved = ReportProof{file_name, shown.cost};
    }
  }
  if (!accepted) refuse(refusal.empty() ? "no plan has a number of steps that it fits" : refusal);
}

}  // namespace bnnplan::reporting
