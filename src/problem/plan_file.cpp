// Reading plans. A plan that says two things about one variable is refused (json_text.cpp).
#include "problem/plan_file.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/checked.hpp"
#include "base/input_error.hpp"
#include "base/text_file.hpp"
#include "problem/json_text.hpp"
#include "problem/name_table.hpp"
#include "problem/variable_value.hpp"

namespace bnnplan {

namespace {

using Json = nlohmann::ordered_json;

std::optional<Decimal> number(const Json& value) {
  try {
    if (value.is_boolean()) return make_decimal(value.get<bool>() ? 1 : 0, 0);
    if (value.is_number_unsigned()) {
      const auto magnitude = value.get<std::uint64_t>();
      return magnitude > INT64_MAX ? std::nullopt
                                   : std::optional(make_decimal(static_cast<std::int64_t>(magnitude), 0));
    }
    if (value.is_number_integer()) return make_decimal(value.get<std::int64_t>(), 0);
    if (value.is_number_float()) return decimal_of_double(value.get<double>());
    if (value.is_string()) return parse_decimal(value.get_ref<const std::string&>());
  } catch (const OverflowError&) {
    return std::nullopt;
  }
  return std::nullopt;
}

std::string text_of(const Json& root, const char* key) {
  const auto value = root.find(key);
  return value != root.end() && value->is_string() ? value->get<std::string>() : std::string();
}

// What `plan` writes where it found none.
bool holds_no_plan(const Json& root) {
  return root.is_object() && root.contains("steps") && root["steps"].is_null();
}

const Json& steps_of(const Json& root, std::string_view file) {
  if (!root.is_object()) throw InputError(file, "not a plan: expected a JSON object with \"steps\"");
  const auto steps = root.find("steps");
  if (steps == root.end()) throw InputError(file, "not a plan: it has no \"steps\"");
  if (holds_no_plan(root)) throw InputError(file, no_plan_text(text_of(root, "status")));
  if (!steps->is_array()) throw InputError(file, "\"steps\" is no array");
  if (steps->size() > static_cast<std::size_t>(horizon_limit))
    throw InputError(file, fmt::format("{} steps, expected at most {}", steps->size(), horizon_limit));
  return *steps;
}

std::optional<Decimal> claimed_cost(const Json& root, std::string_view file) {
  const auto cost = root.find("cost");
  if (cost == root.end() || cost->is_null()) return std::nullopt;
  const auto value = number(*cost);
  if (!value) throw InputError(file, "\"cost\" is no number");
  return value;
}

class PlanReader {
 public:
  PlanReader(std::string_view file, const Problem& problem)
      : file_(file), problem_(problem), names_(problem) {}

  Plan read(const Json& root) const {
    Plan plan;
    plan.initial.assign(problem_.state.bit_count(), unknown_bit);
    const Json& steps = steps_of(root, file_);
    if (const auto initial = root.find("initial"); initial != root.end()) {
      read_values(*initial, "\"initial\"", Place::state, plan.initial);
    }
    for (std::size_t t = 1; t <= steps.size(); ++t) plan.steps.push_back(read_step(steps[t - 1], t));
    plan.cost = claimed_cost(root, file_);
    return plan;
  }

 private:
  PlanStep read_step(const Json& json, std::size_t t) const {
    if (!json.is_object()) throw InputError(file_, fmt::format("step {} is no object", t));
    PlanStep step;
    BitValues actions(problem_.action.bit_count(), 0);
    step.auxiliary.assign(problem_.auxiliary.bit_count(), unknown_bit);
    step.state.assign(problem_.state.bit_count(), unknown_bit);
    for (const auto& [key, value] : json.items()) {
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

  void read_values(const Json& json, const std::string& where, Place place, BitValues& values) const {
    if (!json.is_object()) throw InputError(file_, fmt::format("{} is no object of names and values", where));
    for (const auto& [name, value] : json.items()) {
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
      const auto read = number(value);
      const auto written = read ? bits_of_value(variable, *read) : std::nullopt;
      if (!written) {
        throw InputError(file_, fmt::format("{}: bad value {} for '{}', expected {}", where,
                                            printable(value.dump()), printable(name), range_text(variable)));
      }
      std::copy(written->begin(), written->end(), values.begin() + bits->first);
    }
  }

  std::string file_;
  const Problem& problem_;
  NameTable names_;
};

}  // namespace

Plan parse_plan(std::string_view text, std::string_view file_name, const Problem& problem) {
  return plan_of_json(parse_json(text, file_name), file_name, problem);
}

Plan plan_of_json(const Json& root, std::string_view file_name, const Problem& problem) {
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
  const Json root = parse_json(text, file_name);
  PlanSummary summary;
  const bool none = holds_no_plan(root);
  const Json& steps = none ? root["steps"] : steps_of(root, file_name);
  summary.problem = text_of(root, "problem");
  summary.status = text_of(root, "status");
  summary.engine = text_of(root, "engine");
  summary.cost = claimed_cost(root, file_name);
  if (!none) summary.steps = steps.size();
  for (const Json& step : steps) {
    auto& taken = summary.actions.emplace_back();
    if (!step.is_object() || !step.contains("actions") || !step["actions"].is_object()) continue;
    for (const auto& [name, value] : step["actions"].items()) {
      const auto amount = number(value);
      if (!amount || amount->digits == 0) continue;
      taken.push_back(value.is_boolean() ? name : fmt::format("{}={}", name, to_string(*amount)));
    }
  }
  return summary;
}

}  // namespace bnnplan
