// Writes problem files; reading one back gives the same problem. Sections are in the order in which people
// read them, and variables in the order of their bits.
#include <fmt/format.h>

#include "bnnplan/base/text_file.hpp"
#include "bnnplan/base/toml_text.hpp"
#include "bnnplan/network/network_file.hpp"
#include "bnnplan/problem/problem_file.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "bnnplan/problem/variable_value.hpp"
#include "bnnplan/view/view_file.hpp"

namespace bnnplan {

namespace {

void append_constraints(std::string& text, std::string_view key,
                        const std::vector<LinearConstraint>& constraints) {
  if (constraints.empty()) return;
  text += fmt::format("{} = [\n", key);
  for (const LinearConstraint& constraint : constraints)
    text += fmt::format("  {},\n", toml_string(constraint.text));
  text += "]\n";
}

void append_variables(std::string& text, std::string_view section, const VariableList& list) {
  if (list.variables.empty()) return;
  text += fmt::format("\n[{}]\n", section);
  for (const Variable& variable : list.variables) {
    text += toml_key(variable.name) + " = ";
    if (variable.boolean) {
      text += "\"bool\"\n";
      continue;
    }
    text += fmt::format("{{ bits = {}", variable.bits);
    if (variable.twos_complement) text += ", signed = true";
    if (variable.scale != 0) text += fmt::format(", scale = {}", variable.scale);
    text += " }\n";
  }
}

// "name = value" for every fully known variable, "name.b = 0" for single known bits.
std::vector<std::string> values_text(const VariableList& list, const BitValues& bits) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < list.variables.size(); ++i) {
    const Variable& variable = list.variables[i];
    const auto first = bits.begin() + list.first_bit[i];
    const auto last = bits.begin() + list.first_bit[i + 1];
    if (std::find(first, last, unknown_bit) == last) {
      const std::string value =
          variable.boolean ? (*first != 0 ? "true" : "false") : to_string(value_of(list, i, bits));
      texts.push_back(fmt::format("{} = {}", toml_key(variable.name), value));
      continue;
    }
    for (auto bit = first; bit != last; ++bit) {
      if (*bit == unknown_bit) continue;
      texts.push_back(fmt::format("{} = {}",
                                  toml_key(list.bit_name(static_cast<std::uint32_t>(bit - bits.begin()))),
                                  static_cast<int>(*bit)));
    }
  }
  return texts;
}

void append_refused(std::string& text, const Problem& problem) {
  for (const RefusedPrefix& prefix : problem.refused) {
    text += "\n[[refused]]\n";
    if (const auto initial = values_text(problem.state, prefix.initial); !initial.empty())
      text += fmt::format("initial = {{ {} }}\n", fmt::join(initial, ", "));
    text += "actions = [\n";
    for (const auto& action : prefix.actions) {
      BitValues bits;  // actions that are not mentioned are 0
      for (const BitValue bit : action) bits.push_back(bit != 0 ? BitValue{1} : unknown_bit);
      const auto values = values_text(problem.action, bits);
      text += values.empty() ? "  {},\n" : fmt::format("  {{ {} }},\n", fmt::join(values, ", "));
    }
    text += "]\n";
  }
}

}  // namespace

std::string problem_text(const Problem& problem) {
  std::string text;
  if (!problem.name.empty()) text += fmt::format("name = {}\n", toml_string(problem.name));
  if (problem.horizon > 0) text += fmt::format("horizon = {}\n", problem.horizon);
  if (problem.longest > 0) text += fmt::format("longest = {}\n", problem.longest);
  if (problem.network) text += fmt::format("network = {}\n", toml_string(problem.network_file));
  const Objective& objective = problem.objective;
  if (!text.empty()) text += "\n";
  if (!objective.text.empty()) {
    text +=
        fmt::format("{} = {}\n", objective.maximize ? "maximize" : "minimize", toml_string(objective.text));
    if (objective.multiple > 1) text += fmt::format("reward-multiple = {}\n", objective.multiple);
    if (is_discounted(problem)) {
      text += fmt::format("discount = {}\n", toml_string(to_string(objective.discount)));
      if (objective.discount_digits > 0)
        text += fmt::format("discount-digits = {}\n", objective.discount_digits);
    }
  }
  append_constraints(text, "goal", problem.goal);
  append_constraints(text, "constraints", problem.constraints);
  append_constraints(text, "transitions", problem.transitions);
  append_variables(text, "action", problem.action);
  append_variables(text, "state", problem.state);
  append_variables(text, "auxiliary", problem.auxiliary);
  text += "\n[initial]\n";
  for (const std::string& value : values_text(problem.state, problem.initial)) text += value + "\n";
  append_refused(text, problem);
  if (problem.view) {
    view::ViewNames names;
    for (const Variable& variable : problem.state.variables) names.state.push_back(variable.name);
    for (const Variable& variable : problem.action.variables) names.action.push_back(variable.name);
    text += view::view_text(*problem.view, names);
  }
  return text;
}

void write_problem(const std::filesystem::path& path, const Problem& problem) {
  // The network first: a problem file must never refer to a missing network.
  if (problem.network) write_network(path.parent_path() / problem.network_file, *problem.network);
  write_text_file(path, problem_text(problem));
}

}  // namespace bnnplan
