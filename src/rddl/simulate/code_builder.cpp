// From ground expressions to flat code (expression_code.hpp). Conditions become jumps, as in compilers: an
// and jumps to its end at the first operand that is false, and no truth value is materialised if it is only
// tested; if everything is Boolean, an instruction is a load and a branch. Fluents and constants are
// registers already, so a sum of fluents is one instruction. Fractions are whole multiples of 1 / D as long
// as D is small (scaled_code.cpp); otherwise, and for rare operations (argmin, powers of fractions), an
// instruction evaluates the tree (evaluate.hpp). Operands are evaluated in the order of evaluate.cpp, since
// they may draw.
//
// Size: an instruction or two for each node that is not a fluent or a constant. Shared operands are written
// out as often as the tree would evaluate them; beyond four million instructions the tree is evaluated
// instead.
#include "bnnplan/rddl/simulate/code_builder.hpp"

#include "bnnplan/rddl/ground/evaluate.hpp"
#include "bnnplan/rddl/simulate/code_parts.hpp"

namespace bnnplan::rddl {

namespace {

constexpr std::uint32_t most_temporaries = 4096;
constexpr std::size_t most_instructions = 4'000'000;

}  // namespace

CodeBuilder::CodeBuilder(const NodePool& pool, std::size_t slots)
    : pool_(pool), slots_(slots), next_temporary_(static_cast<Register>(slots)) {
  code_.first_constant_ = slots + most_temporaries;
}

ExpressionCode CodeBuilder::finish() {
  code_.frame_size_ = code_.first_constant_ + code_.constants_.size();
  return std::move(code_);
}

std::uint32_t CodeBuilder::emit(CodeOperation operation, NodeId origin, Register a, Register b,
                                std::uint32_t c, std::uint8_t detail) {
  const bool by_tree = operation == CodeOperation::tree_integer || operation == CodeOperation::tree_real;
  const bool closing = operation == CodeOperation::finish || operation == CodeOperation::store_real ||
                       operation == CodeOperation::jump_if_zero;
  if (code_.instructions_.size() >= most_instructions && !by_tree && !closing) throw TooLarge();
  code_.instructions_.push_back({operation, detail, a, b, c});
  code_.origins_.push_back(origin);
  return here() - 1;
}

std::uint32_t CodeBuilder::begin(NodeId root) {
  code_.roots_.push_back({here(), root});
  next_temporary_ = static_cast<Register>(slots_);
  return here();
}

CodeBuilder::Mark CodeBuilder::mark() const {
  return {code_.instructions_.size(), code_.lists_.size(), code_.scaled_.size(), labels_.size(),
          next_temporary_};
}

// Earlier labels have no jumps from the discarded code.
void CodeBuilder::rewind(const Mark& mark) {
  code_.instructions_.resize(mark.instructions);
  code_.origins_.resize(mark.instructions);
  code_.lists_.resize(mark.lists);
  code_.scaled_.resize(mark.scaled);
  labels_.resize(mark.labels);
  next_temporary_ = mark.temporaries;
}

template <class EmitCode>
void CodeBuilder::or_by_tree(NodeId node, Register target, bool wanted_real, const EmitCode& emit_code) {
  const Mark before = mark();
  try {
    emit_code();
  } catch (const TooLarge&) {
    rewind(before);
    tree_into(node, target, wanted_real);
  }
}

CodeBuilder::Label CodeBuilder::new_label() {
  labels_.emplace_back();
  return static_cast<Label>(labels_.size() - 1);
}

void CodeBuilder::bind(Label label) {
  for (const std::uint32_t jump : labels_[label]) code_.instructions_[jump].c = here();
}

// Labels are bound after all jumps to them.
void CodeBuilder::jump(CodeOperation operation, NodeId origin, Register a, Register b, Label label) {
  labels_[label].push_back(emit(operation, origin, a, b, 0));
}

CodeBuilder::Register CodeBuilder::temporary() {
  if (next_temporary_ >= slots_ + most_temporaries) throw TooLarge();
  return next_temporary_++;
}

CodeBuilder::Register CodeBuilder::constant(std::int64_t value) {
  const auto [found, is_new] =
      constants_.emplace(value, static_cast<Register>(code_.first_constant_ + code_.constants_.size()));
  if (is_new) code_.constants_.push_back(value);
  return found->second;
}

CodeBuilder::Register CodeBuilder::constant_real(double value) { return constant(value_of_real(value)); }

std::optional<CodeBuilder::Register> CodeBuilder::direct_integer(NodeId id) {
  const Node& node = pool_[id];
  if (node.kind >= NodeKind::real) return std::nullopt;
  if (node.operation == NodeOperation::constant) return constant(node.number.numerator);
  if (node.operation == NodeOperation::variable) return node.first;
  return std::nullopt;
}

std::optional<CodeBuilder::Register> CodeBuilder::direct_real(NodeId id) {
  const Node& node = pool_[id];
  if (node.operation == NodeOperation::constant) {
    return constant_real(node.kind < NodeKind::real ? static_cast<double>(node.number.numerator)
                                                    : node.floating);
  }
  if (node.operation == NodeOperation::variable && node.kind >= NodeKind::real) return node.first;
  return std::nullopt;
}

void CodeBuilder::tree_into(NodeId id, Register target, bool wanted_real) {
  emit(wanted_real ? CodeOperation::tree_real : CodeOperation::tree_integer, id, 0, 0, target);
}

// Conditions.

void CodeBuilder::branch(NodeId id, Register truth, Label yes, Label no, bool yes_follows) {
  if (yes_follows) {
    jump(CodeOperation::jump_if_zero, id, truth, 0, no);
  } else {
    jump(CodeOperation::jump_if_not_zero, id, truth, 0, yes);
  }
}

void CodeBuilder::condition(NodeId id, Label yes, Label no, bool yes_follows) {
  const Node& node = pool_[id];
  const auto operands = pool_.operands(id);
  const Register before = next_temporary_;
  switch (node.kind >= NodeKind::real ? NodeOperation::math : node.operation) {
    case NodeOperation::constant:
      if (pool_.is_true(id) != yes_follows) jump(CodeOperation::jump, id, 0, 0, yes_follows ? no : yes);
      break;
    case NodeOperation::logical_not:
      condition(operands[0], no, yes, !yes_follows);
      break;
    case NodeOperation::logical_and:
    case NodeOperation::logical_or: {
      const bool conjunction = node.operation == NodeOperation::logical_and;
      for (const NodeId operand : operands.first(operands.size() - 1)) {
        const Label next = new_label();
        condition(operand, conjunction ? next : yes, conjunction ? no : next, conjunction);
        bind(next);
      }
      condition(operands.back(), yes, no, yes_follows);
      break;
    }
    case NodeOperation::equal:
    case NodeOperation::less:
    case NodeOperation::at_most:
      comparison(id, yes, no, yes_follows);
      break;
    case NodeOperation::choose: {
      std::size_t i = 0;
      for (; i + 1 < operands.size(); i += 2) {
        const Label chosen = new_label(), other = new_label();
        condition(operands[i], chosen, other, true);
        bind(chosen);
        condition(operands[i + 1], yes, no, true);
        jump(CodeOperation::jump, id, 0, 0, yes);
        bind(other);
      }
      condition(operands[i], yes, no, yes_follows);
      break;
    }
    default:
      branch(id, integer(id), yes, no, yes_follows);
      break;
  }
  next_temporary_ = before;
}

void CodeBuilder::comparison(NodeId id, Label yes, Label no, bool yes_follows) {
  const auto operands = pool_.operands(id);
  const NodeKind left = pool_[operands[0]].kind, right = pool_[operands[1]].kind;
  const NodeOperation operation = pool_[id].operation;
  if (left < NodeKind::real && right < NodeKind::real) {
    const Register a = integer(operands[0]), b = integer(operands[1]);
    if (operation == NodeOperation::equal) {
      jump(yes_follows ? CodeOperation::jump_if_not_equal : CodeOperation::jump_if_equal, id, a, b,
           yes_follows ? no : yes);
    } else if (!yes_follows) {
      jump(operation == NodeOperation::less ? CodeOperation::jump_if_less : CodeOperation::jump_if_at_most,
           id, a, b, yes);
    } else {
      jump(operation == NodeOperation::less ? CodeOperation::jump_if_at_most : CodeOperation::jump_if_less,
           id, b, a, no);
    }
    return;
  }
  if (left == NodeKind::floating || right == NodeKind::floating) {
    const Register a = real(operands[0]), b = real(operands[1]);
    const auto [when_true, when_false] =
        operation == NodeOperation::equal
            ? std::pair(CodeOperation::jump_if_reals_equal, CodeOperation::jump_if_reals_not_equal)
        : operation == NodeOperation::less
            ? std::pair(CodeOperation::jump_if_real_less, CodeOperation::jump_if_real_not_less)
            : std::pair(CodeOperation::jump_if_real_at_most, CodeOperation::jump_if_real_not_at_most);
    jump(yes_follows ? when_false : when_true, id, a, b, yes_follows ? no : yes);
    return;
  }
  const Register truth = temporary();
  scaled_comparison_into(id, truth);
  branch(id, truth, yes, no, yes_follows);
}

void CodeBuilder::truth_into(NodeId id, Register target) {
  const Label yes = new_label(), no = new_label(), end = new_label();
  condition(id, yes, no, true);
  bind(yes);
  emit(CodeOperation::move, id, constant(1), 0, target);
  jump(CodeOperation::jump, id, 0, 0, end);
  bind(no);
  emit(CodeOperation::move, id, constant(0), 0, target);
  bind(end);
}

// Integers.

CodeBuilder::Register CodeBuilder::integer(NodeId id) {
  if (const auto direct = direct_integer(id)) return *direct;
  const Register target = temporary();
  integer_into(id, target);
  return target;
}

void CodeBuilder::integer_into(NodeId id, Register target) {
  const Node& node = pool_[id];
  const auto operands = pool_.operands(id);
  const Register before = next_temporary_;
  const auto fold = [&](CodeOperation operation) {
    emit(CodeOperation::move, id, integer(operands[0]), 0, target);
    for (const NodeId operand : operands.subspan(1)) {
      const Register inner = next_temporary_;
      emit(operation, id, target, integer(operand), target);
      next_temporary_ = inner;
    }
  };
  if (const auto direct = direct_integer(id)) {
    emit(CodeOperation::move, id, *direct, 0, target);
    return;
  }
  const bool of_reals = !operands.empty() && pool_[operands[0]].kind >= NodeKind::real;
  const bool of_floats = of_reals && pool_[operands[0]].kind == NodeKind::floating;
  switch (node.kind >= NodeKind::real ? NodeOperation::math : node.operation) {
    case NodeOperation::logical_not:
    case NodeOperation::logical_and:
    case NodeOperation::logical_or:
    case NodeOperation::equal:
    case NodeOperation::less:
    case NodeOperation::at_most:
      truth_into(id, target);
      break;
    case NodeOperation::add:
      sum_into(id, target);
      break;
    case NodeOperation::multiply:
      fold(CodeOperation::multiply);
      break;
    case NodeOperation::minimum:
      fold(CodeOperation::minimum);
      break;
    case NodeOperation::maximum:
      fold(CodeOperation::maximum);
      break;
    case NodeOperation::absolute:
      emit(CodeOperation::absolute, id, integer(operands[0]), 0, target);
      break;
    case NodeOperation::sign:
      if (of_reals && !of_floats) {
        tree_into(id, target, false);
      } else if (of_floats) {
        emit(CodeOperation::sign_of_real, id, real(operands[0]), 0, target);
      } else {
        emit(CodeOperation::sign, id, integer(operands[0]), 0, target);
      }
      break;
    case NodeOperation::floor:
    case NodeOperation::ceiling:
    case NodeOperation::round:
      if (of_floats) {
        emit(node.operation == NodeOperation::floor     ? CodeOperation::floor_of_real
             : node.operation == NodeOperation::ceiling ? CodeOperation::ceiling_of_real
                                                        : CodeOperation::rounded_real,
             id, real(operands[0]), 0, target);
      } else if (of_reals) {
        tree_into(id, target, false);
      } else {
        integer_into(operands[0], target);
      }
      break;
    case NodeOperation::power:
    case NodeOperation::modulo:
    case NodeOperation::integer_division: {
      const Register second = integer(operands[1]);
      if (node.operation != NodeOperation::power && !pool_.is_true(operands[1]))
        emit(CodeOperation::require_nonzero, id, second, 0, 0);
      emit(node.operation == NodeOperation::power    ? CodeOperation::power
           : node.operation == NodeOperation::modulo ? CodeOperation::modulo
                                                     : CodeOperation::integer_division,
           id, integer(operands[0]), second, target);
      break;
    }
    case NodeOperation::choose:
      choice_into(id, [&](NodeId value) { integer_into(value, target); });
      break;
    case NodeOperation::select:
      selection_into(id, [&](NodeId value) { integer_into(value, target); });
      break;
    case NodeOperation::random:
      random_into(id, target, false);
      break;
    default:  // numbers that do not fit, argmin and argmax
      tree_into(id, target, false);
      break;
  }
  next_temporary_ = before;
}

// A condition becomes a jump over the addition of 1.
void CodeBuilder::sum_into(NodeId id, Register target) {
  emit(CodeOperation::move, id, constant(0), 0, target);
  add_in_order(
      id, target, CodeOperation::add, CodeOperation::add_list,
      [&](NodeId operand) { return direct_integer(operand); },
      [&](NodeId operand) {
        if (pool_[operand].kind != NodeKind::boolean) {
          emit(CodeOperation::add, id, target, integer(operand), target);
          return;
        }
        const Label yes = new_label(), no = new_label();
        condition(operand, yes, no, true);
        bind(yes);
        emit(CodeOperation::add, id, target, constant(1), target);
        bind(no);
      });
}

std::uint32_t CodeBuilder::add_conjunction(std::span<const NodeId> conditions) {
  const std::uint32_t address = here();
  std::vector<Label> refused;
  for (const NodeId node : conditions) {
    begin(node);
    const Register truth = temporary();
    const Mark before = mark();
    try {
      const Label yes = new_label(), no = new_label();
      condition(node, yes, no, true);
      bind(yes);
      refused.push_back(no);
    } catch (const TooLarge&) {
      rewind(before);
      refused.push_back(new_label());
      tree_into(node, truth, false);
      jump(CodeOperation::jump_if_zero, node, truth, 0, refused.back());
    }
  }
  emit(CodeOperation::finish, 0, constant(1), 0, 0);
  for (const Label label : refused) bind(label);
  emit(CodeOperation::finish, 0, constant(0), 0, 0);
  return address;
}

std::uint32_t CodeBuilder::add_definitions(std::span<const Definition> definitions) {
  const std::uint32_t address = here();
  for (const Definition& definition : definitions) {
    labels_.clear();
    begin(definition.node);
    const Register value = definition.real ? temporary() : definition.slot;
    or_by_tree(definition.node, value, definition.real, [&] {
      if (definition.real) {
        real_into(definition.node, value);
      } else {
        integer_into(definition.node, value);
      }
    });
    if (definition.real) emit(CodeOperation::store_real, definition.node, value, 0, definition.slot);
  }
  emit(CodeOperation::finish, 0, constant(0), 0, 0);
  return address;
}

std::uint32_t CodeBuilder::add_real(NodeId node) {
  const std::uint32_t address = begin(node);
  const Register result = temporary();
  or_by_tree(node, result, true, [&] { real_into(node, result); });
  emit(CodeOperation::finish, node, result, 0, 0);
  return address;
}

}  // namespace bnnplan::rddl
