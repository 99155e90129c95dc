// The table of a plan. Booleans are shown when true (or when they change: `name` and `not name`), integers by
// value (`stock 3 -> 8`); variables that stay 0 are left out, so that a line shows only what happens.
#include "bnnplan/report/plan_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/problem/variable_value.hpp"

namespace bnnplan::reporting {

namespace {

void append(std::string& text, const std::string& item) { text += (text.empty() ? "" : ", ") + item; }

// The values that are not 0: "a, stock = 3".
template <class Values>
std::string values_text(const VariableList& list, const Values& values) {
  std::string text;
  for (std::size_t i = 0; i < list.variables.size(); ++i) {
    const Decimal value = value_of(list, i, values);
    if (value.digits == 0) continue;
    const std::string name = printable(list.variables[i].name);
    append(text, list.variables[i].boolean ? name : fmt::format("{} = {}", name, to_string(value)));
  }
  return text.empty() ? "-" : text;
}

std::string changes_text(const VariableList& list, const BitValues& before, const BitValues& after) {
  std::string text;
  for (std::size_t i = 0; i < list.variables.size(); ++i) {
    const Decimal old_value = value_of(list, i, before);
    const Decimal new_value = value_of(list, i, after);
    if (old_value == new_value) continue;
    const std::string name = printable(list.variables[i].name);
    if (list.variables[i].boolean) {
      append(text, (new_value.digits != 0 ? "" : "not ") + name);
    } else {
      append(text, fmt::format("{} {} -> {}", name, to_string(old_value), to_string(new_value)));
    }
  }
  return text.empty() ? "-" : text;
}

// Columns on a terminal: one per character, which is right except for wide scripts.
std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string plan_table(const Problem& problem, const Plan& plan, std::size_t longest,
                       const TextStyle& style) {
  struct Row {
    std::string step, actions, state;
  };
  std::vector<Row> rows{{"step", "actions", "state"},
                        {"start", "", values_text(problem.state, plan.initial)}};
  const std::size_t steps = plan.steps.size();
  const std::size_t shown_before = steps <= longest ? steps : longest / 2;
  for (std::size_t t = 0; t < steps; ++t) {
    if (t == shown_before) {
      const std::size_t next = steps - longest / 2;
      rows.push_back({"...", fmt::format("({})", count_text(next - t, "step")), "..."});
      t = next;
    }
    const BitValues& before = t == 0 ? plan.initial : plan.steps[t - 1].state;
    rows.push_back({fmt::format("{}", t + 1), values_text(problem.action, plan.steps[t].action),
                    changes_text(problem.state, before, plan.steps[t].state)});
  }
  std::size_t step_width = 0, action_width = 0;
  for (const Row& row : rows) {
    step_width = std::max(step_width, row.step.size());
    action_width = std::max(action_width, std::min<std::size_t>(display_width(row.actions), 60));
  }
  std::string text;
  for (const Row& row : rows) {
    const std::size_t width = display_width(row.actions);
    const std::string padding(width < action_width ? action_width - width : 0, ' ');
    const std::string step = fmt::format("{:>{}}", row.step, step_width);
    if (&row == &rows.front()) {
      text += style.weak(fmt::format("{}  {}{}  {}", step, row.actions, padding, row.state)) + "\n";
      continue;
    }
    const std::string actions = row.actions == "-" ? style.weak("-") : style.strong(row.actions);
    text += fmt::format("{}  {}{}  {}\n", style.weak(step), actions, padding, row.state);
  }
  return text;
}

}  // namespace bnnplan::reporting
