// Writing and reading result files. A key added to one function must be added to the other, and to
// docs/formats.md.
#include "bnnplan/engines/result_file.hpp"

#include <fmt/format.h>

#include "bnnplan/network/model_record.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/problem/worth.hpp"

namespace bnnplan::engines {

namespace {

JsonValue statistic_json(const Statistic& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* number = std::get_if<double>(&value)) return json_rounded(*number);
  return std::get<std::string>(value);
}

// The number as written in the file; "" if the value is not a number.
std::string number_of(const JsonValue* value) {
  return value != nullptr && value->number() != nullptr ? value->number()->text : "";
}

std::string number_or_null(const JsonValue& value) {
  const std::string number = number_of(&value);
  return number.empty() ? "null" : number;
}

}  // namespace

void add_rewards(Answer& answer, const Problem& problem, std::int64_t cost,
                 const std::string& domain_reward) {
  answer.add("model_reward", json_exact(worth_number(true, cost_in_units(problem, cost))));
  answer.add("domain_reward", json_exact(domain_reward));
}

JsonObject outcome_fields(const Problem& problem, const Outcome& outcome) {
  Answer answer;
  answer.add("problem", problem.name);
  answer.add("horizon", problem.horizon);
  answer.add("status", status_text(outcome.status));
  if (outcome.shortest > 0) answer.add("excluded", outcome.excluded());
  answer.add("cost", cost_json(problem, outcome.cost));
  answer.add("lower_bound", cost_json(problem, outcome.lower_bound));
  answer.add("engine", outcome.engine);
  answer.add("seconds", json_measured(outcome.seconds, 6));
  answer.add_text("claimed_by", outcome.claimed_by);
  answer.add_text("resumed_from", outcome.resumed_from);
  answer.add_text("checkpoint", outcome.checkpoint);
  answer.add_text("among", outcome.among);
  if (problem.network) answer.add_text("network_record", record_claim(*problem.network));
  if (!outcome.domain_reward.empty() && outcome.cost)
    add_rewards(answer, problem, *outcome.cost, outcome.domain_reward);
  if (outcome.stopped != StopReason::none) answer.add("stopped", stop_reason_text(outcome.stopped));
  if (outcome.plan) {
    add_plan(answer, problem, *outcome.plan);
  } else {
    answer.add("initial", nullptr);
    answer.add("steps", nullptr);
  }
  answer.add("bounds", json_array_of(outcome.bounds, [&](const BoundPoint& point) {
               return JsonArray{json_measured(point.seconds, 6), cost_json(problem, point.lower),
                                cost_json(problem, point.upper)};
             }));
  answer.add_text("proof", outcome.proof);
  JsonObject statistics;
  for (const auto& [name, value] : outcome.statistics) statistics.push_back({name, statistic_json(value)});
  answer.add("statistics", std::move(statistics));
  return std::move(answer.fields);
}

std::string outcome_json(const Problem& problem, const Outcome& outcome) {
  return json_text(outcome_fields(problem, outcome)) + "\n";
}

ResultClaims result_claims(const JsonValue& root) {
  ResultClaims claims;
  claims.status = text_of(root, "status");
  claims.among = text_of(root, "among");
  claims.engine = text_of(root, "engine");
  claims.claimed_by = text_of(root, "claimed_by");
  claims.resumed_from = text_of(root, "resumed_from");
  claims.stopped = text_of(root, "stopped");
  claims.proof = text_of(root, "proof");
  claims.seconds = number_of(root.find("seconds"));
  claims.domain_reward = text_of(root, "domain_reward");
  if (const JsonValue* reward = root.find("domain_reward");
      claims.domain_reward.empty() && reward != nullptr) {
    if (const auto number = decimal_of(*reward)) claims.domain_reward = to_string(*number);
  }
  if (const JsonValue* cost = root.find("cost")) claims.cost = decimal_of(*cost);
  if (const JsonValue* bound = root.find("lower_bound")) claims.lower_bound = decimal_of(*bound);
  if (const JsonValue* bounds = root.find("bounds"); bounds != nullptr && bounds->array() != nullptr) {
    for (const JsonValue& value : *bounds->array()) {
      const JsonArray* point = value.array();
      if (point == nullptr || point->size() != 3 || (*point)[0].number() == nullptr) continue;
      claims.bounds.push_back(
          {number_or_null((*point)[0]), number_or_null((*point)[1]), number_or_null((*point)[2])});
    }
  }
  const JsonValue* statistics = root.find("statistics");
  if (statistics == nullptr || statistics->object() == nullptr) return claims;
  for (const auto& [name, value] : *statistics->object()) {
    if (value.number() != nullptr || value.boolean() != nullptr)
      claims.statistics.emplace_back(name, shown_json(value));
    if (value.string() != nullptr) claims.statistics.emplace_back(name, *value.string());
  }
  return claims;
}

}  // namespace bnnplan::engines
