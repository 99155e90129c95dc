// Descriptions of problems, networks and plans for a person who wants to know what a file contains.
#include "bnnplan/report/describe.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "bnnplan/problem/worth.hpp"

namespace bnnplan::reporting {

namespace {

void add_variables(Answer& answer, const std::string& place, const VariableList& list) {
  const auto integers = std::count_if(list.variables.begin(), list.variables.end(),
                                      [](const Variable& v) { return !v.boolean; });
  const auto booleans = static_cast<std::ptrdiff_t>(list.variables.size()) - integers;
  const std::size_t bits = list.bit_count();
  std::string text;
  if (booleans > 0) text += fmt::format("{} Boolean", booleans);
  if (integers > 0) text += fmt::format("{}{} integer", text.empty() ? "" : ", ", integers);
  add_fact(answer, place,
           list.variables.empty() ? "none" : fmt::format("{} ({})", text, count_text(bits, "bit")),
           JsonObject{{"boolean", booleans}, {"integer", integers}, {"bits", bits}});
}

void add_objective(Answer& answer, const Objective& objective) {
  if (objective.text.empty()) return add_fact(answer, "objective", "none: any plan is optimal", {});
  const char* sense = objective.maximize ? "maximize" : "minimize";
  add_fact(answer, "objective",
           fmt::format("{} {}{}", sense, printable(objective.text),
                       objective.multiple == 1
                           ? ""
                           : fmt::format(" ({} times the reward of the domain)", objective.multiple)),
           JsonObject{{"sense", sense}, {"text", objective.text}, {"multiple", objective.multiple}});
}

}  // namespace

std::string fact_line(std::string_view label, std::string_view text) {
  return fmt::format("{:<13} {}\n", label, text);
}

void add_fact(Answer& answer, std::string name, std::string_view text, JsonValue value) {
  answer.say(fact_line(name, text));
  answer.add(std::move(name), std::move(value));
}

Answer describe(const Problem& problem) {
  const auto learned =
      std::set<std::uint32_t>(problem.network_outputs.begin(), problem.network_outputs.end()).size();
  const auto free = std::count(problem.initial.begin(), problem.initial.end(), unknown_bit);
  const auto given = static_cast<std::ptrdiff_t>(problem.initial.size()) - free;
  const std::size_t known = problem.transitions.size();
  Answer answer;
  add_fact(answer, "problem", problem.name.empty() ? "(no name)" : printable(problem.name), problem.name);
  add_fact(answer, "horizon", problem.horizon > 0 ? std::to_string(problem.horizon) : "not stated",
           problem.horizon > 0 ? JsonValue(problem.horizon) : JsonValue());
  add_variables(answer, "state", problem.state);
  add_variables(answer, "action", problem.action);
  add_variables(answer, "auxiliary", problem.auxiliary);
  add_fact(answer, "initial", fmt::format("{} given, {} free", count_text(given, "bit"), free),
           JsonObject{{"given", given}, {"free", free}});
  add_fact(answer, "constraints", fmt::format("{} at every step", problem.constraints.size()),
           problem.constraints.size());
  add_fact(answer, "transitions",
           fmt::format("{} learned, {}", count_text(learned, "bit"), count_text(known, "known constraint")),
           JsonObject{{"learned", learned}, {"known", known}});
  add_fact(answer, "goal", count_text(problem.goal.size(), "constraint"), problem.goal.size());
  add_objective(answer, problem.objective);
  if (is_discounted(problem)) {
    const int digits = problem.objective.discount_digits;
    add_fact(answer, "discount",
             fmt::format("step t counts {}^(t-1){}", to_string(problem.objective.discount),
                         digits > 0 ? fmt::format(", rounded to {}", count_text(digits, "decimal")) : ""),
             problem.objective.discount);
  }
  if (problem.network)
    add_fact(answer, "network",
             fmt::format("{} ({})", shape_text(*problem.network), printable(problem.network_file)),
             JsonObject{{"shape", shape_text(*problem.network)}, {"file", problem.network_file}});
  else
    add_fact(answer, "network", "none: all transitions are known", {});
  return answer;
}

namespace {

// Exact if that is short, otherwise approximate.
std::string short_text(const mpq_class& number) {
  const std::string text = exact_text(number);
  return text.size() <= 12 ? text : fmt::format("{:.6g}", nearest_double(number));
}

// "1", or "0.5 to 3": the range of a list of numbers.
template <class Values>
std::string span_text(const Values& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return short_text(*least);
  return fmt::format("{} to {}", short_text(*least), short_text(*most));
}

std::string numbers_text(const Network& network) {
  std::vector<mpq_class> low, high, step, threshold;
  for (const auto& number : network.numbers) {
    if (!number) continue;
    low.push_back(number->low);
    high.push_back(number->high);
    step.push_back(number->step);
    threshold.push_back(number->threshold);
  }
  return fmt::format("{}, from {} to {} in steps of {}, each a bit: at least {}",
                     low.size() == network.inputs.size() ? "all inputs" : count_text(low.size(), "input"),
                     span_text(low), span_text(high), span_text(step), span_text(threshold));
}

std::string scores_text(const Network& network) {
  std::vector<mpq_class> scales, biases;
  for (const Score& score : network.scores) {
    scales.push_back(score.scale);
    biases.push_back(score.bias);
  }
  return fmt::format("scale {}, bias {}; ties go to the {} class", span_text(scales), span_text(biases),
                     network.tie == ClassTie::lowest ? "lowest" : "highest");
}

}  // namespace

Answer describe(const Network& network) {
  std::size_t weights = 0, zeros = 0, constant = 0, repeated = 0;
  for (const Layer& layer : network.layers) {
    // A neuron is equal to another, or its exact opposite, if they agree up to the sign of all weights: at
    // least k of x  <=>  not at least n - k + 1 of not x.
    std::set<std::pair<std::vector<std::int8_t>, std::int32_t>> seen;
    for (const Neuron& neuron : layer.neurons) {
      const std::int32_t inputs = fan_in(neuron.weights);
      weights += neuron.weights.size();
      zeros += neuron.weights.size() - static_cast<std::size_t>(inputs);
      if (neuron.threshold <= 0 || neuron.threshold > inputs) ++constant;
      auto opposite = neuron.weights;
      for (auto& weight : opposite) weight = static_cast<std::int8_t>(-weight);
      if (seen.count({neuron.weights, neuron.threshold}) != 0 ||
          seen.count({opposite, inputs - neuron.threshold + 1}) != 0) {
        ++repeated;
      }
      seen.insert({neuron.weights, neuron.threshold});
    }
  }
  for (const Score& score : network.scores) {
    weights += score.weights.size();
    zeros += score.weights.size() - static_cast<std::size_t>(fan_in(score.weights));
  }
  Answer answer;
  add_fact(answer, "network", shape_text(network), shape_text(network));
  add_fact(answer, "weights", fmt::format("{}, {} of them zero", weights, zeros),
           JsonObject{{"all", weights}, {"zero", zeros}});
  add_fact(answer, "neurons",
           fmt::format("{} constant, {} equal or opposite to another of their layer", constant, repeated),
           JsonObject{{"constant", constant}, {"repeated", repeated}});
  const auto add_names = [&](const char* label, const std::vector<std::string>& list) {
    std::string joined;
    for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 6); ++i)
      joined += (i == 0 ? "" : ", ") + printable(list[i]);
    add_fact(answer, label, fmt::format("{}: {}{}", list.size(), joined, list.size() > 6 ? ", ..." : ""),
             json_array_of(list));
  };
  add_names("inputs", network.inputs);
  if (has_numbers(network)) add_fact(answer, "numbers", numbers_text(network), numbers_text(network));
  add_names(is_classifier(network) ? "classes" : "outputs", network.outputs);
  if (is_classifier(network)) add_fact(answer, "scores", scores_text(network), scores_text(network));
  if (network.rounded)
    answer.say(fact_line("", "a square root remained in the scores: their scales are the nearest doubles"));
  for (std::size_t i = 0; i < network.record.size(); ++i)
    answer.say(fact_line(i == 0 ? "record" : "", printable(network.record[i])));
  answer.add("record", json_array_of(network.record));
  return answer;
}

Answer describe(const PlanSummary& plan) {
  static constexpr const char* claimed = "(as claimed, not checked)";
  Answer answer;
  answer.say(fact_line("plan", plan.steps ? count_text(*plan.steps, "step") : no_plan_text(plan.status)));
  answer.add("steps", plan.steps);
  if (!plan.problem.empty()) add_fact(answer, "problem", printable(plan.problem), plan.problem);
  if (!plan.status.empty())
    add_fact(answer, "status", fmt::format("{} {}", printable(plan.status), claimed), plan.status);
  if (plan.cost) {
    // The problem is not known here; but a negative cost must come from rewards.
    const bool reward = *plan.cost < Decimal{};
    answer.add("cost", *plan.cost);
    answer.say(
        fact_line(worth_name(reward), fmt::format("{} {}", worth_number(reward, *plan.cost), claimed)));
  }
  if (!plan.engine.empty()) add_fact(answer, "engine", printable(plan.engine), plan.engine);
  for (std::size_t t = 0; t < std::min<std::size_t>(plan.actions.size(), 100); ++t) {
    std::string taken;
    for (const std::string& action : plan.actions[t])
      taken += (taken.empty() ? "" : ", ") + printable(action);
    answer.say(fact_line(fmt::format("  step {}", t + 1), taken.empty() ? "-" : taken));
  }
  if (plan.actions.size() > 100) answer.say("  ...\n");
  answer.add("actions", json_array_of(plan.actions, [](const auto& taken) { return json_array_of(taken); }));
  return answer;
}

}  // namespace bnnplan::reporting
