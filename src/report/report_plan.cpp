// What a report needs of a result file. The plan goes through the reader of plans and through the checker;
// everything else (status, bounds, statistics) is only shown, so it is taken as the file says it, and what is
// not of the expected kind is left out.
#include "report/report_plan.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "check/plan_check.hpp"
#include "problem/json_text.hpp"
#include "problem/plan_file.hpp"

namespace bnnplan {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_steps = 10'000;   // of a plan in a page that a browser can still show
constexpr std::size_t most_bounds = 20'000;  // points

std::string text_of(const Json& root, const char* key) {
  const auto found = root.find(key);
  return found != root.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string number_of(const Json& value) { return value.is_number() ? value.dump() : "null"; }

void read_facts(const Json& root, ReportPlan& report) {
  report.status = text_of(root, "status");
  report.engine = text_of(root, "engine");
  report.claimed_by = text_of(root, "claimed_by");
  report.stopped = text_of(root, "stopped");
  report.proof = text_of(root, "proof");
  if (const auto seconds = root.find("seconds"); seconds != root.end() && seconds->is_number())
    report.seconds = seconds->dump();
  if (const auto bound = root.find("lower_bound"); bound != root.end() && bound->is_number())
    report.lower_bound = bound->dump();
  if (const auto bounds = root.find("bounds"); bounds != root.end() && bounds->is_array()) {
    for (const Json& point : *bounds) {
      if (!point.is_array() || point.size() != 3 || !point[0].is_number()) continue;
      if (report.bounds.size() == most_bounds) break;
      report.bounds.push_back({number_of(point[0]), number_of(point[1]), number_of(point[2])});
    }
  }
  if (const auto statistics = root.find("statistics"); statistics != root.end() && statistics->is_object()) {
    for (const auto& [name, value] : statistics->items()) {
      if (value.is_number() || value.is_boolean()) report.statistics.emplace_back(name, value.dump());
      if (value.is_string()) report.statistics.emplace_back(name, value.get<std::string>());
    }
  }
}

void replay(const Problem& given, const Json& root, ReportPlan& report) {
  Problem problem = given;
  const Plan plan = plan_of_json(root, report.file, problem);
  if (plan.steps.empty()) throw InputError(report.file, "the plan has no steps");
  if (plan.steps.size() > most_steps) {
    throw InputError(report.file, fmt::format("the plan has {} steps, expected at most {} for a page",
                                              plan.steps.size(), most_steps));
  }
  set_horizon(problem, static_cast<std::int64_t>(plan.steps.size()));
  PlanCheck check = check_plan(problem, plan);
  if (!check.accepted)
    throw RefusedReportPlan(fmt::format("{}: refused: {}", printable(report.file), check.violation));
  report.horizon = problem.horizon;
  report.cost = check.cost;
  report.plan = std::move(check.plan);
  for (const PlanStep& step : report.plan->steps) {
    const std::vector<std::uint8_t> next(step.state.begin(), step.state.end());
    StepValues values;
    values.action = step.action;
    values.next = next;
    report.step_costs.push_back(evaluate(problem.objective.terms, values) + problem.objective.constant);
  }
}

}  // namespace

ReportPlan read_report_plan(const std::filesystem::path& path, const Problem& problem) {
  return parse_report_plan(read_text_file(path), path.string(), problem);
}

ReportPlan parse_report_plan(std::string_view text, std::string_view file_name, const Problem& problem) {
  ReportPlan report;
  report.file = file_name;
  const Json root = parse_json(text, report.file);
  // `plan --json` says null where there is no plan.
  const bool no_plan = root.is_object() && root.contains("steps") && root["steps"].is_null();
  if (no_plan) {
    const auto horizon = root.find("horizon");
    const bool stated =
        horizon != root.end() && horizon->is_number_integer() && *horizon > 0 && *horizon <= horizon_limit;
    report.horizon = stated ? horizon->get<int>() : problem.horizon;
  } else {
    replay(problem, root, report);
  }
  read_facts(root, report);
  return report;
}

}  // namespace bnnplan
