// Reads and writes plans. A plan that gives two values for one variable is refused (json_text.cpp). JSON is
// written by hand: values are exact decimals, which a JSON library would round through doubles, and a plan of
// 100,000 steps need not be held twice.
#include "bnnplan/problem/plan_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/base/json_text.hpp"
#include "bnnplan/base/text_file.hpp"
#include "bnnplan/problem/name_table.hpp"
#include "bnnplan/problem/variable_value.hpp"

namespace bnnplan {

namespace {

// The bits of a value of a variable; empty if it cannot have this value. true is not a number: it is only for
// Booleans.
std::optional<BitValues> bits_of(const Variable& variable, const JsonValue& value) {
  if (const bool* flag = value.boolean()) {
    if (!variable.boolean) return std::nullopt;
    return BitValues{*flag ? BitValue{1} : BitValue{0}};
  }
  const auto number = decimal_of(value);
  return number ? bits_of_value(variable, *number) : std::nullopt;
}

// What `plan` writes if it found no plan.
bool holds_no_plan(const JsonValue& root) {
  const JsonValue* steps = root.find("steps");
  return steps != nullptr && steps->is_null();
}

const JsonArray& steps_of(const JsonValue& root, std::string_view file) {
  if (root.object() == nullptr) throw InputError(file, "not a plan: expected a JSON object with \"steps\"");
  const JsonValue* value = root.find("steps");
  if (value == nullptr) throw InputError(file, "not a plan: it has no \"steps\"");
  if (holds_no_plan(root)) throw InputError(file, no_plan_text(text_of(root, "status")));
  const JsonArray* steps = value->array();
  if (steps == nullptr) throw InputError(file, "\"steps\" is not an array");
  if (steps->size() > static_cast<std::size_t>(horizon_limit))
    throw InputError(file, fmt::format("{} steps, expected at most {}", steps->size(), horizon_limit));
  return *steps;
}

std::optional<Decimal> claimed_cost(const JsonValue& root, std::string_view file) {
  const JsonValue* cost = root.find("cost");
  if (cost == nullptr || cost->is_null()) return std::nullopt;
  if (cost->number() == nullptr) {
    throw InputError(file,
                     fmt::format("\"cost\" is {}, expected a number", printable(shown_json(*cost), 60)));
  }
  const auto value = decimal_of(*cost);
  if (!value) {
    throw InputError(file, fmt::format("\"cost\" is {}, expected a number of at most 18 digits",
                                       printable(shown_json(*cost), 60)));
  }
  return value;
}

class PlanReader {
 public:
  PlanReader(std::string_view file, const Problem& problem)
      : file_(file), problem_(problem), names_(problem) {}

  Plan read(const JsonValue& root) const {
    Plan plan;
    plan.initial.assign(problem_.state.bit_count(), unknown_bit);
    const JsonArray& steps = steps_of(root, file_);
    if (const JsonValue* initial = root.find("initial")) {
      read_values(*initial, "\"initial\"", Place::state, plan.initial);
    }
    for (std::size_t t = 1; t <= steps.size(); ++t) plan.steps.push_back(read_step(steps[t - 1], t));
    plan.cost = claimed_cost(root, file_);
    return plan;
  }

 private:
  PlanStep read_step(const JsonValue& json, std::size_t t) const {
    if (json.object() == nullptr) throw InputError(file_, fmt::format("step {} is not an object", t));
    PlanStep step;
    BitValues actions(problem_.action.bit_count(), 0);
    step.auxiliary.assign(problem_.auxiliary.bit_count(), unknown_bit);
    step.state.assign(problem_.state.bit_count(), unknown_bit);
    for (const auto& [key, value] : *json.object()) {
      const std::string where = fmt::format("\"{}\" of step {}", printable(key), t);
      if (key == "actions") {
        read_values(value, where, Place::action, actions);
      } else if (key == "auxiliary") {
        read_values(value, where, Place::auxiliary, step.auxiliary);
      } else if (key == "state") {
        read_values(value, where, Place::state, step.state);
      } else {
        throw InputError(file_, fmt::format("unknown key {}, expected actions, auxiliary or state", where));
      }
    }
    step.action.assign(actions.begin(), actions.end());
    return step;
  }

  void read_values(const JsonValue& json, const std::string& where, Place place, BitValues& values) const {
    if (json.object() == nullptr)
      throw InputError(file_, fmt::format("{} is not an object of names and values", where));
    for (const auto& [name, value] : *json.object()) {
      const auto bits = names_.find(name);
      if (!bits || bits->place != place) {
        static constexpr std::string_view kinds[] = {"action", "state", "auxiliary"};
        throw InputError(file_,
                         fmt::format("{}: unknown {} variable '{}'{}", where, kinds[static_cast<int>(place)],
                                     printable(name), bits ? "" : names_.suggestion(name)));
      }
      const Variable& variable = variables_at(problem_, place).variables[bits->variable];
      if (variable.name != name)
        throw InputError(file_, fmt::format("{}: '{}' is one bit, expected '{}'", where, printable(name),
                                            printable(variable.name)));
      const auto written = bits_of(variable, value);
      if (!written) {
        throw InputError(
            file_, fmt::format("{}: bad value {} for '{}', expected {}", where, printable(shown_json(value)),
                               printable(name), range_text(variable)));
      }
      std::copy(written->begin(), written->end(), values.begin() + bits->first);
    }
  }

  std::string file_;
  const Problem& problem_;
  NameTable names_;
};

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

}  // namespace

Plan parse_plan(std::string_view text, std::string_view file_name, const Problem& problem) {
  return plan_of_json(parse_json(text, file_name), file_name, problem);
}

Plan plan_of_json(const JsonValue& root, std::string_view file_name, const Problem& problem) {
  return PlanReader(file_name, problem).read(root);
}

Plan read_plan(const std::filesystem::path& path, const Problem& problem) {
  return parse_plan(read_text_file(path), path.string(), problem);
}

std::string no_plan_text(std::string_view status) {
  if (status == "infeasible") return "the file holds no plan: it says that there is none";
  if (status == "unknown") return "the file holds no plan: none was found within the limits";
  return "the file holds no plan: its \"steps\" are null";
}

PlanSummary parse_plan_summary(std::string_view text, std::string_view file_name) {
  const JsonValue root = parse_json(text, file_name);
  PlanSummary summary;
  const bool none = holds_no_plan(root);
  static const JsonArray no_steps;
  const JsonArray& steps = none ? no_steps : steps_of(root, file_name);
  summary.problem = text_of(root, "problem");
  summary.status = text_of(root, "status");
  summary.engine = text_of(root, "engine");
  summary.cost = claimed_cost(root, file_name);
  if (!none) summary.steps = steps.size();
  for (const JsonValue& step : steps) {
    auto& taken = summary.actions.emplace_back();
    const JsonValue* actions = step.find("actions");
    if (actions == nullptr || actions->object() == nullptr) continue;
    for (const auto& [name, value] : *actions->object()) {
      if (const bool* flag = value.boolean()) {
        if (*flag) taken.push_back(name);
        continue;
      }
      const auto amount = decimal_of(value);
      if (amount && amount->digits == 0) continue;
      // A value that no variable can have is shown as it is.
      taken.push_back(fmt::format("{}={}", name, amount ? to_string(*amount) : shown_json(value)));
    }
  }
  return summary;
}

void add_plan(Answer& answer, const Problem& problem, const Plan& plan) {
  const VariablesWriter state(problem.state), action(problem.action), auxiliary(problem.auxiliary);
  JsonWritten initial, steps;
  state.append(initial.text, plan.initial);
  steps.text = "[";
  for (std::size_t t = 0; t < plan.steps.size(); ++t) {
    const PlanStep& step = plan.steps[t];
    steps.text += t == 0 ? "\n  {\"actions\": " : ",\n  {\"actions\": ";
    action.append(steps.text, step.action);
    if (!problem.auxiliary.variables.empty()) {
      steps.text += ", \"auxiliary\": ";
      auxiliary.append(steps.text, step.auxiliary);
    }
    steps.text += ", \"state\": ";
    state.append(steps.text, step.state);
    steps.text += '}';
  }
  steps.text += "\n ]";
  answer.add("initial", std::move(initial));
  answer.add("steps", std::move(steps));
}

JsonValue cost_json(const Problem& problem, const std::optional<std::int64_t>& cost) {
  return cost ? JsonValue(cost_in_units(problem, *cost)) : JsonValue();
}

std::string plan_json(const Problem& problem, const Plan& plan) {
  Answer answer;
  answer.add("problem", problem.name);
  answer.add("horizon", problem.horizon);
  if (plan.cost) answer.add("cost", *plan.cost);
  add_plan(answer, problem, plan);
  return answer.json();
}

}  // namespace bnnplan
