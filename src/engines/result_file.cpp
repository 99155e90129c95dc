// Result files, written and read. A key that is added to one function belongs into the other, and into
// docs/formats.md.
#include "engines/result_file.hpp"

#include <fmt/format.h>

#include "network/model_record.hpp"
#include "problem/plan_file.hpp"
#include "problem/worth.hpp"

namespace bnnplan {

namespace {

std::string cost_json(const Problem& problem, const std::optional<std::int64_t>& cost) {
  return cost ? to_string(cost_in_units(problem, *cost)) : "null";
}

std::string statistic_json(const Statistic& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.6g}", *number);
  return quoted_json(std::get<std::string>(value));
}

// As it is written in the file; "" if it is no number.
std::string number_of(const JsonValue* value) {
  return value != nullptr && value->number() != nullptr ? value->number()->text : "";
}

std::string number_or_null(const JsonValue& value) {
  const std::string number = number_of(&value);
  return number.empty() ? "null" : number;
}

}  // namespace

std::string rewards_json(const Problem& problem, std::int64_t cost, const std::string& domain_reward) {
  const bool fraction = domain_reward.find('/') != std::string::npos;  // 1/3 is no JSON number
  return fmt::format("\"model_reward\": {},\n \"domain_reward\": {}",
                     worth_number(true, cost_in_units(problem, cost)),
                     fraction ? quoted_json(domain_reward) : domain_reward);
}

std::string outcome_json(const Problem& problem, const Outcome& outcome) {
  std::string text = fmt::format(
      "{{\"problem\": {},\n \"horizon\": {},\n \"status\": \"{}\",\n \"cost\": {},\n \"lower_bound\": {},\n"
      " \"engine\": {},\n \"seconds\": {:.6f},\n ",
      quoted_json(problem.name), problem.horizon, status_text(outcome.status),
      cost_json(problem, outcome.cost), cost_json(problem, outcome.lower_bound), quoted_json(outcome.engine),
      outcome.seconds);
  if (!outcome.claimed_by.empty())
    text += fmt::format("\"claimed_by\": {},\n ", quoted_json(outcome.claimed_by));
  if (!outcome.resumed_from.empty())
    text += fmt::format("\"resumed_from\": {},\n ", quoted_json(outcome.resumed_from));
  if (!outcome.checkpoint.empty())
    text += fmt::format("\"checkpoint\": {},\n ", quoted_json(outcome.checkpoint));
  if (!outcome.among.empty()) text += fmt::format("\"among\": {},\n ", quoted_json(outcome.among));
  if (problem.network) {
    const std::string claim = record_claim(*problem.network);
    if (!claim.empty()) text += fmt::format("\"network_record\": {},\n ", quoted_json(claim));
  }
  if (!outcome.domain_reward.empty() && outcome.cost)
    text += rewards_json(problem, *outcome.cost, outcome.domain_reward) + ",\n ";
  if (outcome.stopped != StopReason::none) {
    text += fmt::format("\"stopped\": \"{}\",\n ", stop_reason_text(outcome.stopped));
  }
  if (outcome.plan) {
    append_plan(text, problem, *outcome.plan);
  } else {
    text += "\"initial\": null,\n \"steps\": null";
  }
  text += ",\n \"bounds\": [";
  for (std::size_t i = 0; i < outcome.bounds.size(); ++i) {
    const BoundPoint& point = outcome.bounds[i];
    text += fmt::format("{}[{:.6f}, {}, {}]", i == 0 ? "" : ", ", point.seconds,
                        cost_json(problem, point.lower), cost_json(problem, point.upper));
  }
  text += "],\n ";
  if (!outcome.proof.empty()) text += fmt::format("\"proof\": {},\n ", quoted_json(outcome.proof));
  text += "\"statistics\": {";
  for (std::size_t i = 0; i < outcome.statistics.size(); ++i) {
    const auto& [name, value] = outcome.statistics[i];
    text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", quoted_json(name), statistic_json(value));
  }
  return text + "}}\n";
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

}  // namespace bnnplan
