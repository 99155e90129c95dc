// The data of a report page. Everything the page shows is computed here, by the code that the checker trusts;
// the page only draws. Values are exact decimals; the neurons that are active at a step are packed, four to a
// hexadecimal digit, the first neuron in the highest bit of the first digit.
#include <algorithm>
#include <set>
#include <span>

#include "bnnplan/base/json_text.hpp"
#include "bnnplan/network/model_record.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/problem/variable_value.hpp"
#include "bnnplan/problem/worth.hpp"
#include "bnnplan/report/report_page.hpp"
#include "bnnplan/report/words.hpp"
#include "bnnplan/view/view_json.hpp"

namespace bnnplan::reporting {

namespace {

constexpr std::size_t most_constraints = 500;       // listed of each kind
constexpr std::size_t most_weights = 4'000'000;     // with more, the page shows neurons without their weights
constexpr std::size_t most_activity = 100'000'000;  // neurons times steps, of one plan

// One value after the other, written at once: long plans have many.
JsonWritten values_json(const VariableList& list, const BitValues& values) {
  JsonArray numbers;
  for (std::size_t i = 0; i < list.variables.size(); ++i) numbers.emplace_back(value_of(list, i, values));
  return {json_text(numbers, JsonLayout::packed)};
}

JsonArray variables_json(const VariableList& list, const std::set<std::uint32_t>& learned,
                         const BitValues* initial) {
  JsonArray variables;
  for (std::size_t i = 0; i < list.variables.size(); ++i) {
    const Variable& variable = list.variables[i];
    std::size_t from_network = 0;
    bool free = false;
    for (std::uint32_t bit = list.first_bit[i]; bit < list.first_bit[i + 1]; ++bit) {
      from_network += learned.count(bit);
      free = free || (initial != nullptr && (*initial)[bit] == unknown_bit);
    }
    const std::size_t bits = list.first_bit[i + 1] - list.first_bit[i];
    variables.emplace_back(JsonObject{{"name", variable.name},
                                      {"boolean", variable.boolean},
                                      {"range", range_text(variable)},
                                      {"learned", from_network == 0      ? "no"
                                                  : from_network == bits ? "yes"
                                                                         : "partly"},
                                      {"free", free}});
  }
  return variables;
}

JsonObject constraints_json(const Problem& problem, const std::vector<LinearConstraint>& constraints) {
  const std::span shown(constraints.data(), std::min(constraints.size(), most_constraints));
  return {{"count", constraints.size()},
          {"shown", json_array_of(shown, [&](const LinearConstraint& constraint) {
             return JsonArray{constraint_in_words(problem, constraint), constraint.text};
           })}};
}

JsonObject network_json(const Problem& problem) {
  const Network& network = *problem.network;
  std::size_t weights = 0;
  for (const Layer& layer : network.layers) {
    for (const Neuron& neuron : layer.neurons) weights += neuron.weights.size();
  }
  const bool with_weights = weights <= most_weights;
  const auto neuron_json = [&](const Neuron& neuron) {
    std::string signs;
    if (with_weights) {
      for (const std::int8_t weight : neuron.weights) signs += weight > 0 ? '+' : weight < 0 ? '-' : '0';
    }
    return JsonArray{neuron.threshold, std::move(signs)};
  };
  // For a classifier, the problem sees the bits below its scores.
  std::vector<std::string> outputs = network.outputs;
  if (is_classifier(network)) {
    outputs.clear();
    for (const std::uint32_t bit : problem.network_outputs)
      outputs.push_back(problem.state.bit_name(bit) + "'");
  }
  return {{"file", problem.network_file},
          {"claim", record_claim(network)},
          {"shape", shape_text(network)},
          {"inputs", json_array_of(network.inputs)},
          {"outputs", json_array_of(outputs)},
          {"layers", json_array_of(network.layers, [&](const Layer& layer) {
             return json_array_of(layer.neurons, neuron_json);
           })}};
}

std::string packed(const BitValues& bits) {
  std::string text;
  for (std::size_t i = 0; i < bits.size(); i += 4) {
    unsigned digit = 0;
    for (std::size_t b = i; b < i + 4; ++b) digit = digit << 1 | (b < bits.size() && bits[b] != 0 ? 1u : 0u);
    text += "0123456789abcdef"[digit];
  }
  return text;
}

// The inputs and all neurons at one step, layer by layer.
JsonArray activity_json(const Problem& problem, const BitValues& state, const PlanStep& step) {
  BitValues values;
  for (const Bit& input : problem.network_inputs) {
    values.push_back(input.place == Place::action ? step.action[input.index] : state[input.index]);
  }
  JsonArray layers = {packed(values)};
  for (const Layer& layer : problem.network->layers) {
    values = evaluate_layer(layer, values);
    layers.emplace_back(packed(values));
  }
  return layers;
}

std::size_t neuron_count(const Problem& problem) {
  std::size_t count = 0;
  if (problem.network) {
    for (const Layer& layer : problem.network->layers) count += layer.neurons.size();
  }
  return count;
}

JsonObject proved_json(const Problem& problem, const ReportProof& proved) {
  return {{"file", proved.file},
          {"optimum", proved.optimum ? JsonValue(worth_number(problem, *proved.optimum)) : JsonValue()}};
}

// The rewards that the model promises step by step, next to those of the domain.
JsonObject world_json(const Problem& problem, const ReportPlan& report) {
  const WorldCourse& world = *report.world;
  const bool promises = !problem.objective.text.empty();
  const auto promised = [&](std::int64_t cost) { return worth_number(true, cost_in_units(problem, cost)); };
  return {{"parts", world.parts},
          {"difference", world.difference},
          {"violation", world.violation},
          {"start", world.start},
          {"reward", world.reward},
          {"rewards", json_array_of(world.rewards)},
          {"promised", promises ? JsonValue(json_array_of(report.step_costs, promised)) : JsonValue()},
          {"promisedReward", promises ? JsonValue(promised(report.cost)) : JsonValue()},
          {"states", json_array_of(world.states, [&](const BitValues& state) {
             return values_json(problem.state, state);
           })}};
}

void add_steps(JsonObject& fields, const Problem& problem, const ReportPlan& report) {
  const auto worth = [&](std::int64_t cost) { return worth_number(problem, cost); };
  const Plan& plan = *report.plan;
  std::vector<std::int64_t> totals = {0};  // after each step
  for (const std::int64_t cost : report.step_costs) totals.push_back(totals.back() + cost);
  JsonArray states = {values_json(problem.state, plan.initial)}, actions, auxiliary, activity;
  const bool active = problem.network && neuron_count(problem) * plan.steps.size() <= most_activity;
  const BitValues* before = &plan.initial;
  for (const PlanStep& step : plan.steps) {
    states.emplace_back(values_json(problem.state, step.state));
    actions.emplace_back(values_json(problem.action, step.action));
    auxiliary.emplace_back(values_json(problem.auxiliary, step.auxiliary));
    if (active) activity.emplace_back(activity_json(problem, *before, step));
    before = &step.state;
  }
  fields.push_back({"worth", worth(report.cost)});
  fields.push_back({"steps", plan.steps.size()});
  fields.push_back({"worths", json_array_of(report.step_costs, worth)});
  fields.push_back({"totals", json_array_of(totals, worth)});
  fields.push_back({"states", std::move(states)});
  fields.push_back({"actions", std::move(actions)});
  fields.push_back({"auxiliary", std::move(auxiliary)});
  if (report.world) fields.push_back({"world", world_json(problem, report)});
  if (active) fields.push_back({"activity", std::move(activity)});
}

// Costs are exact texts in the terms of the problem ("5", or the reward "36"), as a JavaScript number has
// only 53 bits; only the bounds over time, which are drawn, are numbers, and those are costs.
JsonObject plan_json(const Problem& problem, const ReportPlan& report) {
  const engines::ResultClaims& claims = report.claims;
  const std::string reward = report.domain_reward();
  JsonObject fields = {
      {"file", report.file},
      {"horizon", report.horizon},
      {"status", claims.status},
      {"among", claims.among},
      {"engine", claims.engine},
      {"claimedBy", claims.claimed_by},
      {"resumedFrom", claims.resumed_from},
      {"stopped", claims.stopped},
      {"proof", claims.proof},
      {"proved", report.proved ? JsonValue(proved_json(problem, *report.proved)) : JsonValue()},
      {"domainReward", reward},
      {"domainReplayed", report.world.has_value()},
      {"promise", report.plan && !reward.empty() ? promise_text(problem, report.cost, reward) : ""},
      {"seconds", claims.seconds.empty() ? JsonValue() : JsonValue(JsonNumber{claims.seconds})},
      {"bound", claims.lower_bound ? JsonValue(worth_number(problem.objective.maximize, *claims.lower_bound))
                                   : JsonValue()},
      {"bounds", json_array_of(claims.bounds,
                               [](const auto& point) {
                                 return json_array_of(
                                     point, [](const std::string& number) { return JsonWritten{number}; });
                               })},
      {"statistics", json_array_of(claims.statistics, [](const auto& entry) {
         return JsonArray{entry.first, entry.second};
       })}};
  if (report.plan) {
    add_steps(fields, problem, report);
  } else {
    fields.push_back({"steps", JsonValue()});
  }
  return fields;
}

JsonObject problem_json(const Problem& problem, const std::string& file) {
  const std::set<std::uint32_t> learned(problem.network_outputs.begin(), problem.network_outputs.end());
  return {{"name", problem.name},
          {"file", file},
          {"horizon", problem.horizon},
          {"state", variables_json(problem.state, learned, &problem.initial)},
          {"action", variables_json(problem.action, {}, nullptr)},
          {"auxiliary", variables_json(problem.auxiliary, {}, nullptr)},
          {"constraints", constraints_json(problem, problem.constraints)},
          {"goal", constraints_json(problem, problem.goal)},
          {"transitions", constraints_json(problem, problem.transitions)},
          {"refused", problem.refused.size()},
          {"objective", JsonObject{{"words", objective_in_words(problem)},
                                   {"text", problem.objective.text},
                                   {"maximize", problem.objective.maximize}}},
          {"network", problem.network ? JsonValue(network_json(problem)) : JsonValue()}};
}

}  // namespace

std::string report_data(const Problem& problem, const std::string& problem_file,
                        const std::vector<ReportPlan>& plans) {
  const JsonObject data = {
      {"problem", problem_json(problem, problem_file)},
      {"view", problem.view ? view::view_json(*problem.view) : JsonValue()},
      {"plans", json_array_of(plans, [&](const ReportPlan& plan) { return plan_json(problem, plan); })}};
  return json_text(data, JsonLayout::packed);
}

}  // namespace bnnplan::reporting
