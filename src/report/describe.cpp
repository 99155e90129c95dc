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

std::string variables_text(const VariableList& list) {
  const auto integers = std::count_if(list.variables.begin(), list.variables.end(),
                                      [](const Variable& v) { return !v.boolean; });
  const auto booleans = static_cast<std::ptrdiff_t>(list.variables.size()) - integers;
  if (list.variables.empty()) return "none";
  std::string text;
  if (booleans > 0) text += fmt::format("{} Boolean", booleans);
  if (integers > 0) text += fmt::format("{}{} integer", text.empty() ? "" : ", ", integers);
  return fmt::format("{} ({})", text, count_text(list.bit_count(), "bit"));
}

std::string line(std::string_view label, std::string_view value) {
  return fmt::format("{:<13} {}\n", label, value);
}

}  // namespace

std::string describe(const Problem& problem) {
  const auto learned =
      std::set<std::uint32_t>(problem.network_outputs.begin(), problem.network_outputs.end()).size();
  const auto free = std::count(problem.initial.begin(), problem.initial.end(), unknown_bit);
  std::string text = line("problem", problem.name.empty() ? "(no name)" : printable(problem.name));
  text += line("horizon", problem.horizon > 0 ? fmt::format("{}", problem.horizon) : "not stated");
  text += line("state", variables_text(problem.state));
  text += line("action", variables_text(problem.action));
  text += line("auxiliary", variables_text(problem.auxiliary));
  text +=
      line("initial",
           fmt::format("{} given, {} free",
                       count_text(static_cast<std::ptrdiff_t>(problem.initial.size()) - free, "bit"), free));
  text += line("constraints", fmt::format("{} at every step", problem.constraints.size()));
  text += line("transitions", fmt::format("{} learned, {}", count_text(learned, "bit"),
                                          count_text(problem.transitions.size(), "known constraint")));
  text += line("goal", count_text(problem.goal.size(), "constraint"));
  text += line("objective", problem.objective.text.empty()
                                ? "none: any plan is optimal"
                                : fmt::format("{} {}{}", problem.objective.maximize ? "maximize" : "minimize",
                                              printable(problem.objective.text),
                                              problem.objective.multiple == 1
                                                  ? ""
                                                  : fmt::format(" ({} times the reward of the domain)",
                                                                problem.objective.multiple)));
  if (is_discounted(problem)) {
    const int digits = problem.objective.discount_digits;
    text +=
        line("discount",
             fmt::format("step t counts {}^(t-1){}", to_string(problem.objective.discount),
                         digits > 0 ? fmt::format(", rounded to {}", count_text(digits, "decimal")) : ""));
  }
  if (!problem.network) return text + line("network", "none: all transitions are known");
  text +=
      line("network", fmt::format("{} ({})", shape_text(*problem.network), printable(problem.network_file)));
  return text;
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

std::string describe(const Network& network) {
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
  std::string text = line("network", shape_text(network));
  text += line("weights", fmt::format("{}, {} of them zero", weights, zeros));
  text += line("neurons", fmt::format("{} constant, {} equal or opposite to another of their layer", constant,
                                      repeated));
  const auto names = [](const std::vector<std::string>& list) {
    std::string joined;
    for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 6); ++i)
      joined += (i == 0 ? "" : ", ") + printable(list[i]);
    return joined + (list.size() > 6 ? ", ..." : "");
  };
  text += line("inputs", fmt::format("{}: {}", network.inputs.size(), names(network.inputs)));
  if (has_numbers(network)) text += line("numbers", numbers_text(network));
  text += line(is_classifier(network) ? "classes" : "outputs",
               fmt::format("{}: {}", network.outputs.size(), names(network.outputs)));
  if (is_classifier(network)) text += line("scores", scores_text(network));
  if (network.rounded)
    text += line("", "a square root remained in the scores: their scales are the nearest doubles");
  for (std::size_t i = 0; i < network.record.size(); ++i)
    text += line(i == 0 ? "record" : "", printable(network.record[i]));
  return text;
}

std::string describe(const PlanSummary& plan) {
  std::string text = line("plan", plan.steps ? count_text(*plan.steps, "step") : no_plan_text(plan.status));
  if (!plan.problem.empty()) text += line("problem", printable(plan.problem));
  static constexpr const char* claimed = "(as claimed, not checked)";
  if (!plan.status.empty()) text += line("status", fmt::format("{} {}", printable(plan.status), claimed));
  if (plan.cost) {
    // The problem is not known here; but a negative cost must come from rewards.
    const bool reward = *plan.cost < Decimal{};
    text += line(worth_name(reward), fmt::format("{} {}", worth_number(reward, *plan.cost), claimed));
  }
  if (!plan.engine.empty()) text += line("engine", printable(plan.engine));
  for (std::size_t t = 0; t < std::min<std::size_t>(plan.actions.size(), 100); ++t) {
    std::string taken;
    for (const std::string& action : plan.actions[t])
      taken += (taken.empty() ? "" : ", ") + printable(action);
    text += line(fmt::format("  step {}", t + 1), taken.empty() ? "-" : taken);
  }
  if (plan.actions.size() > 100) text += "  ...\n";
  return text;
}

std::string describe_facts(const std::vector<Fact>& facts) {
  std::string text;
  for (const auto& [label, value] : facts) text += line(label, printable(value));
  return text;
}

}  // namespace bnnplan::reporting
