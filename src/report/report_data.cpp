// The data of a report page. Everything the page shows is computed here, by the code that the checker trusts;
// the page only draws. Values are exact decimals; the neurons that are active at a step are packed, four to a
// hexadecimal digit, the first neuron in the highest bit of the first digit.
#include <set>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "network/model_record.hpp"
#include "network/reference_inference.hpp"
#include "problem/variable_value.hpp"
#include "problem/worth.hpp"
#include "report/report_page.hpp"
#include "report/words.hpp"
#include "view/view_json.hpp"

namespace bnnplan {

namespace {

constexpr std::size_t most_constraints = 500;       // listed of each kind
constexpr std::size_t most_weights = 4'000'000;     // with more, the page shows neurons without their weights
constexpr std::size_t most_activity = 100'000'000;  // neurons times steps, of one plan

std::string or_null(const std::string& number) { return number.empty() ? "null" : number; }

template <class List, class Text>
std::string array(const List& list, Text text) {
  std::string result = "[";
  for (const auto& element : list) {
    if (result.size() > 1) result += ',';
    result += text(element);
  }
  return result + "]";
}

std::string variables_json(const VariableList& list, const std::set<std::uint32_t>& learned,
                           const BitValues* initial) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.variables.size(); ++i) {
    const Variable& variable = list.variables[i];
    std::size_t from_network = 0;
    bool free = false;
    for (std::uint32_t bit = list.first_bit[i]; bit < list.first_bit[i + 1]; ++bit) {
      from_network += learned.count(bit);
      free = free || (initial != nullptr && (*initial)[bit] == unknown_bit);
    }
    const std::size_t bits = list.first_bit[i + 1] - list.first_bit[i];
    text += fmt::format("{}{{\"name\":{},\"boolean\":{},\"range\":{},\"learned\":\"{}\",\"free\":{}}}",
                        i == 0 ? "" : ",", quoted_json(variable.name), variable.boolean,
                        quoted_json(range_text(variable)),
                        from_network == 0      ? "no"
                        : from_network == bits ? "yes"
                                               : "partly",
                        free);
  }
  return text + "]";
}

std::string constraints_json(const Problem& problem, const std::vector<LinearConstraint>& constraints) {
  std::string text = fmt::format("{{\"count\":{},\"shown\":[", constraints.size());
  for (std::size_t i = 0; i < std::min(constraints.size(), most_constraints); ++i) {
    text +=
        fmt::format("{}[{},{}]", i == 0 ? "" : ",", quoted_json(constraint_in_words(problem, constraints[i])),
                    quoted_json(constraints[i].text));
  }
  return text + "]}";
}

std::string values_json(const VariableList& list, const BitValues& values) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.variables.size(); ++i) {
    if (i > 0) text += ',';
    text += to_string(value_of(list, i, values));
  }
  return text + "]";
}

std::string network_json(const Problem& problem) {
  const Network& network = *problem.network;
  std::size_t weights = 0;
  for (const Layer& layer : network.layers) {
    for (const Neuron& neuron : layer.neurons) weights += neuron.weights.size();
  }
  const bool with_weights = weights <= most_weights;
  const auto layer_json = [&](const Layer& layer) {
    return array(layer.neurons, [&](const Neuron& neuron) {
      std::string signs;
      if (with_weights) {
        for (const std::int8_t weight : neuron.weights) signs += weight > 0 ? '+' : weight < 0 ? '-' : '0';
      }
      return fmt::format("[{},\"{}\"]", neuron.threshold, signs);
    });
  };
  // For a classifier, the problem sees the bits below its scores.
  std::vector<std::string> outputs = network.outputs;
  if (is_classifier(network)) {
    outputs.clear();
    for (const std::uint32_t bit : problem.network_outputs)
      outputs.push_back(problem.state.bit_name(bit) + "'");
  }
  return fmt::format(
      "{{\"file\":{},\"claim\":{},\"shape\":\"{}\",\"inputs\":{},\"outputs\":{},\"layers\":{}}}",
      quoted_json(problem.network_file), quoted_json(record_claim(network)), shape_text(network),
      array(network.inputs, quoted_json), array(outputs, quoted_json), array(network.layers, layer_json));
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
std::string activity_json(const Problem& problem, const BitValues& state, const PlanStep& step) {
  BitValues values;
  for (const Bit& input : problem.network_inputs) {
    values.push_back(input.place == Place::action ? step.action[input.index] : state[input.index]);
  }
  std::string text = "[\"" + packed(values) + "\"";
  for (const Layer& layer : problem.network->layers) {
    values = evaluate_layer(layer, values);
    text += ",\"" + packed(values) + "\"";
  }
  return text + "]";
}

std::size_t neuron_count(const Problem& problem) {
  std::size_t count = 0;
  if (problem.network) {
    for (const Layer& layer : problem.network->layers) count += layer.neurons.size();
  }
  return count;
}

std::string proved_json(const Problem& problem, const std::optional<ReportProof>& proved) {
  if (!proved) return "null";
  return fmt::format("{{\"file\":{},\"optimum\":{}}}", quoted_json(proved->file),
                     proved->optimum ? quoted_json(worth_number(problem, *proved->optimum)) : "null");
}

// The rewards that the model promises step by step, next to those of the domain.
std::string world_json(const Problem& problem, const ReportPlan& report) {
  const WorldCourse& world = *report.world;
  const auto promised = [&](std::int64_t cost) {
    return quoted_json(worth_number(true, cost_in_units(problem, cost)));
  };
  return fmt::format(
      "{{\"parts\":{},\"difference\":{},\"violation\":{},\"start\":{},\"reward\":{},\"rewards\":{},"
      "\"promised\":{},"
      "\"promisedReward\":{},\"states\":{}}}",
      world.parts, quoted_json(world.difference), quoted_json(world.violation), quoted_json(world.start),
      quoted_json(world.reward), array(world.rewards, quoted_json),
      problem.objective.text.empty() ? "null" : array(report.step_costs, promised),
      problem.objective.text.empty() ? "null" : promised(report.cost),
      array(world.states, [&](const BitValues& state) { return values_json(problem.state, state); }));
}

// Costs are exact texts in the terms of the problem ("5", or the reward "36"), as a JavaScript number has
// only 53 bits; only the bounds over time, which are drawn, are numbers, and those are costs.
std::string plan_json(const Problem& problem, const ReportPlan& report) {
  const auto worth = [&](std::int64_t cost) { return quoted_json(worth_number(problem, cost)); };
  std::string text = fmt::format(
      "{{\"file\":{},\"horizon\":{},\"status\":{},\"among\":{},\"engine\":{},\"claimedBy\":{},"
      "\"resumedFrom\":{},\"stopped\":{},"
      "\"proof\":{},"
      "\"proved\":{},\"domainReward\":{},\"domainReplayed\":{},\"promise\":{},\"seconds\":{},\"bound\":{},"
      "\"bounds\":{},\"statistics\":{}",
      quoted_json(report.file), report.horizon, quoted_json(report.claims.status),
      quoted_json(report.claims.among), quoted_json(report.claims.engine),
      quoted_json(report.claims.claimed_by), quoted_json(report.claims.resumed_from),
      quoted_json(report.claims.stopped), quoted_json(report.claims.proof),
      proved_json(problem, report.proved), quoted_json(report.domain_reward()), report.world.has_value(),
      quoted_json(report.plan && !report.domain_reward().empty()
                      ? promise_text(problem, report.cost, report.domain_reward())
                      : ""),
      or_null(report.claims.seconds),
      report.claims.lower_bound
          ? quoted_json(worth_number(problem.objective.maximize, *report.claims.lower_bound))
          : "null",
      array(report.claims.bounds,
            [](const auto& point) { return fmt::format("[{},{},{}]", point[0], point[1], point[2]); }),
      array(report.claims.statistics, [](const auto& entry) {
        return fmt::format("[{},{}]", quoted_json(entry.first), quoted_json(entry.second));
      }));
  if (!report.plan) return text + ",\"steps\":null}";
  const Plan& plan = *report.plan;
  std::vector<std::int64_t> totals = {0};  // after each step
  for (const std::int64_t cost : report.step_costs) totals.push_back(totals.back() + cost);
  text += fmt::format(",\"worth\":{},\"steps\":{},\"worths\":{},\"totals\":{}", worth(report.cost),
                      plan.steps.size(), array(report.step_costs, worth), array(totals, worth));
  text += ",\"states\":[" + values_json(problem.state, plan.initial);
  for (const PlanStep& step : plan.steps) text += "," + values_json(problem.state, step.state);
  text += "],\"actions\":" +
          array(plan.steps, [&](const PlanStep& step) { return values_json(problem.action, step.action); });
  text += ",\"auxiliary\":" + array(plan.steps, [&](const PlanStep& step) {
            return values_json(problem.auxiliary, step.auxiliary);
          });
  if (report.world) text += ",\"world\":" + world_json(problem, report);
  if (problem.network && neuron_count(problem) * plan.steps.size() <= most_activity) {
    text += ",\"activity\":[";
    for (std::size_t t = 0; t < plan.steps.size(); ++t) {
      if (t > 0) text += ',';
      text += activity_json(problem, t == 0 ? plan.initial : plan.steps[t - 1].state, plan.steps[t]);
    }
    text += ']';
  }
  return text + "}";
}

}  // namespace

std::string report_data(const Problem& problem, const std::string& problem_file,
                        const std::vector<ReportPlan>& plans) {
  const std::set<std::uint32_t> learned(problem.network_outputs.begin(), problem.network_outputs.end());
  const std::set<std::uint32_t> none;
  std::string text = fmt::format(
      "{{\"problem\":{{\"name\":{},\"file\":{},\"horizon\":{},\"state\":{},\"action\":{},\"auxiliary\":{},",
      quoted_json(problem.name), quoted_json(problem_file), problem.horizon,
      variables_json(problem.state, learned, &problem.initial), variables_json(problem.action, none, nullptr),
      variables_json(problem.auxiliary, none, nullptr));
  text += fmt::format("\"constraints\":{},\"goal\":{},\"transitions\":{},\"refused\":{},",
                      constraints_json(problem, problem.constraints), constraints_json(problem, problem.goal),
                      constraints_json(problem, problem.transitions), problem.refused.size());
  text += fmt::format("\"objective\":{{\"words\":{},\"text\":{},\"maximize\":{}}},\"network\":{}}},",
                      quoted_json(objective_in_words(problem)), quoted_json(problem.objective.text),
                      problem.objective.maximize, problem.network ? network_json(problem) : "null");
  text += "\"view\":" + (problem.view ? view_json(*problem.view) : "null");
  text += ",\"plans\":" + array(plans, [&](const ReportPlan& plan) { return plan_json(problem, plan); });
  return text + "}";
}

}  // namespace bnnplan
