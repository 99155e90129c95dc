// Code for reals: doubles in, doubles out, in the order of evaluate.cpp, since a sum of doubles depends on
// it.
#include "bnnplan/rddl/simulate/code_builder.hpp"
#include "bnnplan/rddl/simulate/code_parts.hpp"

namespace bnnplan::rddl {

CodeBuilder::Register CodeBuilder::real(NodeId id) {
  if (const auto direct = direct_real(id)) return *direct;
  const Register target = temporary();
  real_into(id, target);
  return target;
}

void CodeBuilder::real_into(NodeId id, Register target) {
  const Node& node = pool_[id];
  const auto operands = pool_.operands(id);
  const Register before = next_temporary_;
  const auto fold = [&](CodeOperation operation, bool from_one) {
    emit(CodeOperation::move, id, from_one ? constant_real(1) : real(operands[0]), 0, target);
    for (const NodeId operand : operands.subspan(from_one ? 0 : 1)) {
      const Register inner = next_temporary_;
      emit(operation, id, target, real(operand), target);
      next_temporary_ = inner;
    }
  };
  if (const auto direct = direct_real(id)) {
    emit(CodeOperation::move, id, *direct, 0, target);
    return;
  }
  if (node.kind < NodeKind::real) {
    emit(CodeOperation::real_of_integer, id, integer(id), 0, target);
    next_temporary_ = before;
    return;
  }
  switch (node.operation) {
    case NodeOperation::add:
      sum_of_reals_into(id, target);
      break;
    case NodeOperation::multiply:
      fold(CodeOperation::multiply_reals, true);
      break;
    case NodeOperation::minimum:
      fold(CodeOperation::minimum_of_reals, false);
      break;
    case NodeOperation::maximum:
      fold(CodeOperation::maximum_of_reals, false);
      break;
    case NodeOperation::divide: {
      const Register denominator = real(operands[1]);
      emit(CodeOperation::require_nonzero_real, id, denominator, 0, 0);
      emit(CodeOperation::divide_reals, id, real(operands[0]), denominator, target);
      break;
    }
    case NodeOperation::absolute:
      emit(CodeOperation::absolute_real, id, real(operands[0]), 0, target);
      break;
    case NodeOperation::power:
    case NodeOperation::math: {
      const Register b = operands.size() > 1 ? real(operands[1]) : constant_real(0), a = real(operands[0]);
      emit(node.operation == NodeOperation::power ? CodeOperation::power_of_reals : CodeOperation::function,
           id, a, b, target, static_cast<std::uint8_t>(node.function));
      break;
    }
    case NodeOperation::choose:
      choice_into(id, [&](NodeId value) { real_into(value, target); });
      break;
    case NodeOperation::select:
      selection_into(id, [&](NodeId value) { real_into(value, target); });
      break;
    case NodeOperation::random:
      random_into(id, target, true);
      break;
    default:
      tree_into(id, target, true);
      break;
  }
  next_temporary_ = before;
}

void CodeBuilder::sum_of_reals_into(NodeId id, Register target) {
  emit(CodeOperation::move, id, constant_real(0), 0, target);
  add_in_order(
      id, target, CodeOperation::add_reals, CodeOperation::add_list_of_reals,
      [&](NodeId operand) { return direct_real(operand); },
      [&](NodeId operand) { emit(CodeOperation::add_reals, id, target, real(operand), target); });
}

void CodeBuilder::random_into(NodeId id, Register target, bool wanted_real) {
  const Node& node = pool_[id];
  const auto operands = pool_.operands(id);
  const auto distribution = static_cast<std::uint8_t>(node.distribution);
  if (entry_of(node.distribution).gives == DrawnKind::object) {
    std::vector<Register> weights;
    for (const NodeId operand : operands) weights.push_back(real(operand));
    const auto first = static_cast<std::uint32_t>(code_.lists_.size());
    code_.lists_.insert(code_.lists_.end(), weights.begin(), weights.end());
    emit(CodeOperation::draw_number, id, first, static_cast<std::uint32_t>(weights.size()), target,
         distribution);
    if (wanted_real) emit(CodeOperation::real_of_integer, id, target, 0, target);
    return;
  }
  const Register a = operands.empty() ? constant_real(0) : real(operands[0]);
  const Register b = operands.size() > 1 ? real(operands[1]) : constant_real(0);
  const CodeOperation operation = wanted_real ? CodeOperation::draw_real
                                  : node.distribution == Distribution::bernoulli
                                      ? CodeOperation::draw_truth
                                      : CodeOperation::draw_integer;
  emit(operation, id, a, b, target, distribution);
}

}  // namespace bnnplan::rddl
