#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/base/answer.hpp"
#include "bnnplan/base/json_text.hpp"
#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan {

// Plans as JSON, described in docs/formats.md:
//   {"initial": {...}, "steps": [{"actions": {...}, "auxiliary": {...}, "state": {...}}, ...], "cost": 4}
// Only "steps" is required; it is null in a result without a plan, which is refused. Action variables that a
// step does not mention are 0. Numbers are read exactly. Throws InputError.
Plan read_plan(const std::filesystem::path& path, const Problem& problem);
Plan parse_plan(std::string_view text, std::string_view file_name, const Problem& problem);
Plan plan_of_json(const JsonValue& root, std::string_view file_name, const Problem& problem);

// A plan alone, as a plan file; reading it back gives an equal plan. Requires a fully specified plan.
std::string plan_json(const Problem& problem, const Plan& plan);

// Adds the fields "initial" and "steps"; what writes a larger object (engines/result_file.hpp) adds the
// others.
void add_plan(Answer& answer, const Problem& problem, const Plan& plan);
JsonValue cost_json(const Problem& problem, const std::optional<std::int64_t>& cost);

// The message for a result without a plan, which `plan` writes with "steps": null, depending on its status.
std::string no_plan_text(std::string_view status);

// What is known about a plan file without its problem.
struct PlanSummary {
  std::string problem, status, engine;  // empty if the file does not say
  std::optional<Decimal> cost;
  std::optional<std::size_t> steps;  // empty for a result without a plan
  // For each step: "name" or "name=value", without those that are 0.
  std::vector<std::vector<std::string>> actions;
};
PlanSummary parse_plan_summary(std::string_view text, std::string_view file_name);

}  // namespace bnnplan
