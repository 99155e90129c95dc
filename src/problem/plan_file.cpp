// Reading and writing plans. A plan that says two things about one variable is refused (json_text.cpp). JSON
// is written by hand: values are exact decimals, which a JSON library would round through doubles, and a plan
// of 100,000 steps need not be held twice.
#include "problem/plan_file.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/input_error.hpp"
#include "base/json_text.hpp"
#include "base/text_file.hpp"
#include "problem/name_table.hpp"
#include "problem/variable_value.hpp"

namespace bnnplan {

namespace {

// The bits of a value of a variable; nothing if it cannot have it. true is no number: only a Boolean has it.
std::optional<BitValues> bits_of(const Variable& variable, const JsonValue& value) {
  if (const bool* flag = value.boolean()) {
    if (!variable.boolean) return std::nullopt;
    return BitValues{*flag ? BitValue{1} : BitValue{0}};
  }
  const auto number = decimal_of(value);
  return number ? bits_of_value(variable, *number) : std::nullopt;
}

// What `plan` writes where it found none.
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
  if (steps == nullptr) throw InputError(file, "\"steps\" is no array");
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
    if (json.object() == nullptr) throw InputError(file_, fmt::format("step {} is no object", t));
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
      throw InputError(file_, fmt::format("{} is no object of names and values", where));
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
      // What is no number that a variable can have is shown as it stands there.
      taken.push_back(fmt::format("{}={}", name, amount ? to_string(*amount) : shown_json(value)));
    }
  }
  return summary;
}

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

std::string plan_json(const Problem& problem, const Plan& plan) {
  std::string text =
      fmt::format("{{\"problem\": {},\n \"horizon\": {},\n ", quoted_json(problem.name), problem.horizon);
  if (plan.cost) text += fmt::format("\"cost\": {},\n ", to_string(*plan.cost));
  append_plan(text, problem, plan);
  return text + "}\n";
}

}  // namespace bnnplan
