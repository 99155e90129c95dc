#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_text.hpp"
#include "problem/plan.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// Plans as JSON, described in docs/formats.md:
//   {"initial": {...}, "steps": [{"actions": {...}, "auxiliary": {...}, "state": {...}}, ...], "cost": 4}
// Only "steps" is required, and is null in a result without a plan, which is refused; action variables that a
// step does not mention are 0. Numbers are read exactly. Throws InputError.
Plan read_plan(const std::filesystem::path& path, const Problem& problem);
Plan parse_plan(std::string_view text, std::string_view file_name, const Problem& problem);
Plan plan_of_json(const JsonValue& root, std::string_view file_name, const Problem& problem);

// A plan alone, as a plan file; reading it back gives an equal plan. Requires a plan that says everything.
std::string plan_json(const Problem& problem, const Plan& plan);

// Appends only the members "initial" and "steps" of the object. Whoever writes a larger one
// (engines/result_file.hpp) puts the others around them.
void append_plan(std::string& text, const Problem& problem, const Plan& plan);

// What is said of a result without a plan, which `plan` writes with "steps": null, by the status it states.
std::string no_plan_text(std::string_view status);

// What can be told of a plan file without its problem.
struct PlanSummary {
  std::string problem, status, engine;  // empty where the file does not say
  std::optional<Decimal> cost;
  std::optional<std::size_t> steps;  // nothing for a result without a plan
  // Of each step: "name" or "name=value", without those that are 0.
  std::vector<std::vector<std::string>> actions;
};
PlanSummary parse_plan_summary(std::string_view text, std::string_view file_name);

}  // namespace bnnplan
