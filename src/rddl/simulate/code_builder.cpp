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

void CodeBuilder::value_or_tree_into(NodeId node, Register target, bool wanted_real) {
  const Mark before = mark();
  try {
    value_into(node, target, wanted_real);
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

std::uint32_t CodeBuilder::add_list(const std::vector<std::uint32_t>& list) {
  code_.lists_.insert(code_.lists_.end(), list.begin(), list.end());
  return static_cast<std::uint32_t>(code_.lists_.size() - list.size());
}

std::optional<CodeBuilder::Register> CodeBuilder::direct(NodeId id, bool wanted_real) {
  const Node& node = pool_[id];
  if (node.operation == Operation::variable && (node.kind >= NodeKind::real) == wanted_real)
    return node.first;
  if (node.operation != Operation::constant || (node.kind >= NodeKind::real && !wanted_real))
    return std::nullopt;
  return wanted_real ? constant_real(node.floating) : constant(node.number.numerator);
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
  switch (node.kind >= NodeKind::real ? Operation::math : node.operation) {
    case Operation::constant:
      if (pool_.is_true(id) != yes_follows) jump(CodeOperation::jump, id, 0, 0, yes_follows ? no : yes);
      break;
    case Operation::logical_not:
      condition(operands[0], no, yes, !yes_follows);
      break;
    case Operation::logical_and:
    case Operation::logical_or: {
      const bool conjunction = node.operation == Operation::logical_and;
      for (const NodeId operand : operands.first(operands.size() - 1)) {
        const Label next = new_label();
        condition(operand, conjunction ? next : yes, conjunction ? no : next, conjunction);
        bind(next);
      }
      condition(operands.back(), yes, no, yes_follows);
      break;
    }
    case Operation::equal:
    case Operation::less:
    case Operation::at_most:
      comparison(id, yes, no, yes_follows);
      break;
    case Operation::choose: {
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
  const Operation operation = pool_[id].operation;
  if (left < NodeKind::real && right < NodeKind::real) {
    const Register a = integer(operands[0]), b = integer(operands[1]);
    if (operation == Operation::equal) {
      jump(yes_follows ? CodeOperation::jump_if_not_equal : CodeOperation::jump_if_equal, id, a, b,
           yes_follows ? no : yes);
    } else if (!yes_follows) {
      jump(operation == Operation::less ? CodeOperation::jump_if_less : CodeOperation::jump_if_at_most, id, a,
           b, yes);
    } else {
      jump(operation == Operation::less ? CodeOperation::jump_if_at_most : CodeOperation::jump_if_less, id, b,
           a, no);
    }
    return;
  }
  if (left == NodeKind::floating || right == NodeKind::floating) {
    const Register a = real(operands[0]), b = real(operands[1]);
    const auto [when_true, when_false] =
        operation == Operation::equal
            ? std::pair(CodeOperation::jump_if_reals_equal, CodeOperation::jump_if_reals_not_equal)
        : operation == Operation::less
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

// Values. Doubles are computed in the order of evaluate.cpp, since a sum of doubles depends on it.

CodeBuilder::Register CodeBuilder::value(NodeId id, bool wanted_real) {
  if (const auto register_of = direct(id, wanted_real)) return *register_of;
  const Register target = temporary();
  value_into(id, target, wanted_real);
  return target;
}

void CodeBuilder::value_into(NodeId id, Register target, bool wanted_real) {
  const Node& node = pool_[id];
  const auto operands = pool_.operands(id);
  const Register before = next_temporary_;
  if (const auto register_of = direct(id, wanted_real)) {
    emit(CodeOperation::move, id, *register_of, 0, target);
    return;
  }
  if (wanted_real && node.kind < NodeKind::real) {
    emit(CodeOperation::real_of_integer, id, integer(id), 0, target);
    next_temporary_ = before;
    return;
  }
  const auto fold = [&](CodeOperation of_integers, CodeOperation of_reals, bool from_one) {
    emit(CodeOperation::move, id, from_one ? constant_real(1) : value(operands[0], wanted_real), 0, target);
    for (const NodeId operand : operands.subspan(from_one ? 0 : 1)) {
      const Register inner = next_temporary_;
      emit(wanted_real ? of_reals : of_integers, id, target, value(operand, wanted_real), target);
      next_temporary_ = inner;
    }
  };
  const auto branch_into = [&](NodeId branch) { value_into(branch, target, wanted_real); };
  switch (node.kind < NodeKind::real || wanted_real ? node.operation : Operation::constant) {
    case Operation::add:
      sum_into(id, target, wanted_real);
      break;
    case Operation::multiply:
      fold(CodeOperation::multiply, CodeOperation::multiply_reals, wanted_real);
      break;
    case Operation::minimum:
      fold(CodeOperation::minimum, CodeOperation::minimum_of_reals, false);
      break;
    case Operation::maximum:
      fold(CodeOperation::maximum, CodeOperation::maximum_of_reals, false);
      break;
    case Operation::absolute:
      emit(wanted_real ? CodeOperation::absolute_real : CodeOperation::absolute, id,
           value(operands[0], wanted_real), 0, target);
      break;
    case Operation::choose:
      choice_into(id, branch_into);
      break;
    case Operation::select:
      selection_into(id, branch_into);
      break;
    case Operation::random:
      random_into(id, target, wanted_real);
      break;
    default:
      if (wanted_real) {
        function_into(id, target);
      } else {
        whole_into(id, target);
      }
      break;
  }
  next_temporary_ = before;
}

// The operations that only doubles have.
void CodeBuilder::function_into(NodeId id, Register target) {
  const Node& node = pool_[id];
  const auto operands = pool_.operands(id);
  if (node.operation == Operation::divide) {
    const Register denominator = real(operands[1]);
    emit(CodeOperation::require_nonzero_real, id, denominator, 0, 0);
    emit(CodeOperation::divide_reals, id, real(operands[0]), denominator, target);
  } else if (node.operation == Operation::power || node.operation == Operation::math) {
    const Register b = operands.size() > 1 ? real(operands[1]) : constant_real(0), a = real(operands[0]);
    emit(node.operation == Operation::power ? CodeOperation::power_of_reals : CodeOperation::function, id, a,
         b, target, static_cast<std::uint8_t>(node.function));
  } else {
    tree_into(id, target, true);
  }
}

// The operations that only integers and Booleans have.
void CodeBuilder::whole_into(NodeId id, Register target) {
  const Node& node = pool_[id];
  const auto operands = pool_.operands(id);
  const NodeKind kind = operands.empty() ? NodeKind::boolean : pool_[operands[0]].kind;
  switch (node.kind < NodeKind::real ? node.operation : Operation::constant) {
    case Operation::logical_not:
    case Operation::logical_and:
    case Operation::logical_or:
    case Operation::equal:
    case Operation::less:
    case Operation::at_most:
      truth_into(id, target);
      break;
    case Operation::sign:
    case Operation::floor:
    case Operation::ceiling:
    case Operation::round:
      if (kind == NodeKind::real) {
        tree_into(id, target, false);
      } else if (kind == NodeKind::floating) {
        emit(node.operation == Operation::sign      ? CodeOperation::sign_of_real
             : node.operation == Operation::floor   ? CodeOperation::floor_of_real
             : node.operation == Operation::ceiling ? CodeOperation::ceiling_of_real
                                                    : CodeOperation::rounded_real,
             id, real(operands[0]), 0, target);
      } else if (node.operation == Operation::sign) {
        emit(CodeOperation::sign, id, integer(operands[0]), 0, target);
      } else {
        value_into(operands[0], target, false);
      }
      break;
    case Operation::power:
    case Operation::modulo:
    case Operation::integer_division: {
      const Register second = integer(operands[1]);
      if (node.operation != Operation::power && !pool_.is_true(operands[1]))
        emit(CodeOperation::require_nonzero, id, second, 0, 0);
      emit(node.operation == Operation::power    ? CodeOperation::power
           : node.operation == Operation::modulo ? CodeOperation::modulo
                                                 : CodeOperation::integer_division,
           id, integer(operands[0]), second, target);
      break;
    }
    default:  // numbers that do not fit, argmin and argmax
      tree_into(id, target, false);
      break;
  }
}

// Adds the operands in their order: neighbours that are registers already by one instruction; a condition
// becomes a jump over the addition of 1.
void CodeBuilder::sum_into(NodeId id, Register target, bool wanted_real) {
  const auto operands = pool_.operands(id);
  const CodeOperation add = wanted_real ? CodeOperation::add_reals : CodeOperation::add;
  emit(CodeOperation::move, id, wanted_real ? constant_real(0) : constant(0), 0, target);
  std::vector<Register> neighbours;
  for (std::size_t i = 0; i <= operands.size(); ++i) {
    const auto found = i < operands.size() ? direct(operands[i], wanted_real) : std::nullopt;
    if (found) {
      neighbours.push_back(*found);
      continue;
    }
    if (neighbours.size() == 1) emit(add, id, target, neighbours[0], target);
    if (neighbours.size() > 1) {
      emit(wanted_real ? CodeOperation::add_list_of_reals : CodeOperation::add_list, id, add_list(neighbours),
           static_cast<std::uint32_t>(neighbours.size()), target);
    }
    neighbours.clear();
    if (i == operands.size()) break;
    const Register before = next_temporary_;
    if (wanted_real || pool_[operands[i]].kind != NodeKind::boolean) {
      emit(add, id, target, value(operands[i], wanted_real), target);
    } else {
      const Label yes = new_label(), no = new_label();
      condition(operands[i], yes, no, true);
      bind(yes);
      emit(add, id, target, constant(1), target);
      bind(no);
    }
    next_temporary_ = before;
  }
}

void CodeBuilder::random_into(NodeId id, Register target, bool wanted_real) {
  const Node& node = pool_[id];
  const auto operands = pool_.operands(id);
  const auto distribution = static_cast<std::uint8_t>(node.distribution);
  std::vector<Register> parameters;
  for (const NodeId operand : operands) parameters.push_back(real(operand));
  if (entry_of(node.distribution).gives == ValueKind::object) {
    emit(CodeOperation::draw_number, id, add_list(parameters), static_cast<std::uint32_t>(parameters.size()),
         target, distribution);
    if (wanted_real) emit(CodeOperation::real_of_integer, id, target, 0, target);
    return;
  }
  parameters.resize(2, constant_real(0));
  emit(wanted_real                                    ? CodeOperation::draw_real
       : node.distribution == Distribution::bernoulli ? CodeOperation::draw_truth
                                                      : CodeOperation::draw_integer,
       id, parameters[0], parameters[1], target, distribution);
}

void CodeBuilder::choice_into(NodeId id, const std::function<void(NodeId)>& branch_into) {
  const auto operands = pool_.operands(id);
  const Label end = new_label();
  std::size_t i = 0;
  for (; i + 1 < operands.size(); i += 2) {
    const Label chosen = new_label(), other = new_label();
    condition(operands[i], chosen, other, true);
    bind(chosen);
    branch_into(operands[i + 1]);
    jump(CodeOperation::jump, id, 0, 0, end);
    bind(other);
  }
  branch_into(operands[i]);
  bind(end);
}

void CodeBuilder::selection_into(NodeId id, const std::function<void(NodeId)>& branch_into) {
  const auto operands = pool_.operands(id);
  const Register number = integer(operands[0]);
  const auto values = operands.subspan(1);
  const std::uint32_t first = add_list(std::vector<std::uint32_t>(values.size()));
  emit(CodeOperation::jump_table, id, number, first, static_cast<std::uint32_t>(values.size()));
  const Label end = new_label();
  for (std::size_t i = 0; i < values.size(); ++i) {
    code_.lists_[first + i] = here();
    branch_into(values[i]);
    jump(CodeOperation::jump, id, 0, 0, end);
  }
  bind(end);
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
    value_or_tree_into(definition.node, value, definition.real);
    if (definition.real) emit(CodeOperation::store_real, definition.node, value, 0, definition.slot);
  }
  emit(CodeOperation::finish, 0, constant(0), 0, 0);
  return address;
}

std::uint32_t CodeBuilder::add_real(NodeId node) {
  const std::uint32_t address = begin(node);
  const Register result = temporary();
  value_or_tree_into(node, result, true);
  emit(CodeOperation::finish, node, result, 0, 0);
  return address;
}

}  // namespace bnnplan::rddl
