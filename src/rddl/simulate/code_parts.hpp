#pragma once

#include "bnnplan/rddl/simulate/code_builder.hpp"

namespace bnnplan::rddl {

// What integers, reals and fractions have in common: the branches of an if or a switch, and of a choice by
// index. value_into(expression) emits the code of one branch.

template <class ValueInto>
void CodeBuilder::choice_into(NodeId id, const ValueInto& value_into) {
  const auto operands = pool_.operands(id);
  const Label end = new_label();
  std::size_t i = 0;
  for (; i + 1 < operands.size(); i += 2) {
    const Label chosen = new_label(), other = new_label();
    condition(operands[i], chosen, other, true);
    bind(chosen);
    value_into(operands[i + 1]);
    jump(CodeOperation::jump, id, 0, 0, end);
    bind(other);
  }
  value_into(operands[i]);
  bind(end);
}

template <class ValueInto>
void CodeBuilder::selection_into(NodeId id, const ValueInto& value_into) {
  const auto operands = pool_.operands(id);
  const Register number = integer(operands[0]);
  const auto values = operands.subspan(1);
  const auto first = static_cast<std::uint32_t>(code_.lists_.size());
  code_.lists_.resize(code_.lists_.size() + values.size());
  emit(CodeOperation::jump_table, id, number, first, static_cast<std::uint32_t>(values.size()));
  const Label end = new_label();
  for (std::size_t i = 0; i < values.size(); ++i) {
    code_.lists_[first + i] = here();
    value_into(values[i]);
    jump(CodeOperation::jump, id, 0, 0, end);
  }
  bind(end);
}

// Adds the operands of a sum to the target in their order: neighbours that are registers already (`direct`)
// by one instruction, each of the others with add_other(operand).
template <class Direct, class AddOther>
void CodeBuilder::add_in_order(NodeId id, Register target, CodeOperation add, CodeOperation add_list,
                               const Direct& direct, const AddOther& add_other) {
  const auto operands = pool_.operands(id);
  std::vector<Register> neighbours;
  for (std::size_t i = 0; i <= operands.size(); ++i) {
    const std::optional<Register> found = i < operands.size() ? direct(operands[i]) : std::nullopt;
    if (found) {
      neighbours.push_back(*found);
      continue;
    }
    if (neighbours.size() == 1) emit(add, id, target, neighbours[0], target);
    if (neighbours.size() > 1) {
      const auto first = static_cast<std::uint32_t>(code_.lists_.size());
      code_.lists_.insert(code_.lists_.end(), neighbours.begin(), neighbours.end());
      emit(add_list, id, first, static_cast<std::uint32_t>(neighbours.size()), target);
    }
    neighbours.clear();
    if (i == operands.size()) break;
    const Register before = next_temporary_;
    add_other(operands[i]);
    next_temporary_ = before;
  }
}

}  // namespace bnnplan::rddl
