#pragma once

#include <filesystem>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "problem/plan.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

// Plans as JSON, described in docs/formats.md:
//   {"initial": {...}, "steps": [{"actions": {...}, "auxiliary": {...}, "state": {...}}, ...], "cost": 4}
// Only "steps" is required; action variables that a step does not mention are 0. Throws InputError.
Plan read_plan(const std::filesystem::path& path, const Problem& problem);
Plan parse_plan(std::string_view text, std::string_view file_name, const Problem& problem);
Plan plan_of_json(const nlohmann::ordered_json& root, std::string_view file_name, const Problem& problem);

// Whether text starts like a JSON object.
bool looks_like_plan(std::string_view text);

// What can be told of a plan file without its problem.
struct PlanSummary {
  std::string problem, status, engine;  // empty where the file does not say
  std::optional<Decimal> cost;
  std::size_t steps = 0;
  std::vector<std::vector<std::string>>
      actions;  // of each step: "name" or "name=value", without those that are 0
};
PlanSummary parse_plan_summary(std::string_view text, std::string_view file_name);

}  // namespace bnnplan
