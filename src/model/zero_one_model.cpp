// The positions and names of the variables of the 0-1 model. All of it is arithmetic on a few sizes, so a
// model over a thousand steps carries no table of names.
#include "bnnplan/model/zero_one_model.hpp"

#include <cassert>
#include <numeric>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::model {

std::string part_name(Part part) {
  switch (part.kind) {
    case PartKind::initial:
      return "initial";
    case PartKind::goal:
      return "goal";
    case PartKind::global:
      return "global";
    case PartKind::known:
      return "known";
    case PartKind::refused:
      return "refused";
    case PartKind::layer:
      return fmt::format("layer {}", part.layer);
    case PartKind::objective:
      return "objective";
  }
  __builtin_unreachable();
}

std::uint32_t ModelLayout::hidden_bits() const { return std::accumulate(hidden.begin(), hidden.end(), 0u); }

std::uint32_t ModelLayout::step_size() const {
  return state_bits + action_bits + auxiliary_bits + hidden_bits();
}

std::uint32_t ModelLayout::variable_count() const {
  return static_cast<std::uint32_t>(horizon) * step_size() + state_bits;
}

Var ModelLayout::state(std::int32_t t, std::uint32_t bit) const {
  assert(t >= 1 && t <= horizon + 1 && bit < state_bits);
  return {static_cast<std::uint32_t>(t - 1) * step_size() + bit};
}

Var ModelLayout::action(std::int32_t t, std::uint32_t bit) const {
  assert(t >= 1 && t <= horizon && bit < action_bits);
  return {static_cast<std::uint32_t>(t - 1) * step_size() + state_bits + bit};
}

Var ModelLayout::auxiliary(std::int32_t t, std::uint32_t bit) const {
  assert(t >= 1 && t <= horizon && bit < auxiliary_bits);
  return {static_cast<std::uint32_t>(t - 1) * step_size() + state_bits + action_bits + bit};
}

Var ModelLayout::neuron(std::int32_t t, std::uint32_t layer, std::uint32_t index) const {
  assert(t >= 1 && t <= horizon && layer >= 1 && layer <= hidden.size() && index < hidden[layer - 1]);
  const std::uint32_t before = std::accumulate(hidden.begin(), hidden.begin() + layer - 1, 0u);
  return {static_cast<std::uint32_t>(t - 1) * step_size() + state_bits + action_bits + auxiliary_bits +
          before + index};
}

bool ModelLayout::is_problem_variable(Var v) const {
  return v.index % step_size() < state_bits + action_bits + auxiliary_bits;
}

void add_cost_bound(ZeroOneModel& model, std::int64_t bound) {
  const std::int64_t room = checked_add(bound, checked_negate(model.offset));
  model.rows.push_back({{model.objective, Comparison::at_most, room}, {PartKind::objective, 0}});
}

std::string variable_name(const ZeroOneModel& model, Var v) {
  const ModelLayout& layout = model.layout;
  const std::uint32_t step = v.index / layout.step_size() + 1;
  std::uint32_t rest = v.index % layout.step_size();
  for (const auto* names : {&model.state_names, &model.action_names, &model.auxiliary_names}) {
    if (rest < names->size()) return fmt::format("{}@{}", (*names)[rest], step);
    rest -= static_cast<std::uint32_t>(names->size());
  }
  std::uint32_t layer = 1;
  for (; rest >= layout.hidden[layer - 1]; ++layer) rest -= layout.hidden[layer - 1];
  return fmt::format("neuron {}.{}@{}", layer, rest + 1, step);
}

}  // namespace bnnplan::model
