// JSON by hand: costs and values are exact decimals, which a JSON library would round through doubles, and a
// plan of 100,000 steps need not be held twice.
#include "report/plan_json.hpp"

#include <fmt/format.h>

#include "problem/json_text.hpp"
#include "problem/variable_value.hpp"
#include "problem/worth.hpp"

namespace bnnplan {

namespace {

// {"a": true, "stock": 3}
class VariablesWriter {
 public:
  explicit VariablesWriter(const VariableList& list) : list_(list) {
    for (const Variable& variable : list.variables) keys_.push_back(quoted_json(variable.name) + ": ");
  }

  template <class Values>
  void append(std::string& text, const Values& values) const {
    text += '{';
    for (std::size_t i = 0; i < list_.variables.size(); ++i) {
      if (i > 0) text += ", ";
      text += keys_[i];
      if (list_.variables[i].boolean) {
        text += values[list_.first_bit[i]] != 0 ? "true" : "false";
        continue;
      }
      text += to_string(value_of(list_, i, values));
    }
    text += '}';
  }

 private:
  const VariableList& list_;
  std::vector<std::string> keys_;  // escaped once
};

void append_plan(std::string& text, const Problem& problem, const Plan& plan) {
  const VariablesWriter state(problem.state), action(problem.action), auxiliary(problem.auxiliary);
  text += "\"initial\": ";
  state.append(text, plan.initial);
  text += ",\n \"steps\": [";
  for (std::size_t t = 0; t < plan.steps.size(); ++t) {
    const PlanStep& step = plan.steps[t];
    text += t == 0 ? "\n  {\"actions\": " : ",\n  {\"actions\": ";
    action.append(text, step.action);
    if (!problem.auxiliary.variables.empty()) {
      text += ", \"auxiliary\": ";
      auxiliary.append(text, step.auxiliary);
    }
    text += ", \"state\": ";
    state.append(text, step.state);
    text += '}';
  }
  text += "\n ]";
}

std::string cost_json(const Problem& problem, const std::optional<std::int64_t>& cost) {
  return cost ? to_string(cost_in_units(problem, *cost)) : "null";
}

std::string statistic_json(const Statistic& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:.6g}", *number);
  return quoted_json(std::get<std::string>(value));
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
  if (!outcome.among.empty()) text += fmt::format("\"among\": {},\n ", quoted_json(outcome.among));
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

std::string plan_json(const Problem& problem, const Plan& plan) {
  std::string text =
      fmt::format("{{\"problem\": {},\n \"horizon\": {},\n ", quoted_json(problem.name), problem.horizon);
  if (plan.cost) text += fmt::format("\"cost\": {},\n ", to_string(*plan.cost));
  append_plan(text, problem, plan);
  return text + "}\n";
}

}  // namespace bnnplan
