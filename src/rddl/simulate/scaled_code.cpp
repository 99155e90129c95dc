// Code for exact fractions: an expression x becomes the whole number x D for a D that is known beforehand,
//
//   D(p / q) = q,   D(x + y) = lcm(D(x), D(y)),   D(x y) = D(x) D(y),   D(x / (p / q)) = D(x) |p|
//
// so that 0.25 a + 0.5 b <= 1 is a + 2 b <= 4, without a greatest common divisor at run time. Random
// expressions and those without a D up to 10^12 are left to the tree; so are values for which x D does not
// fit into 64 bits (ExpressionCode::Scaled).
#include <cstdlib>
#include <numeric>

#include "bnnplan/rddl/simulate/code_builder.hpp"

namespace bnnplan::rddl {

namespace {

constexpr std::int64_t largest_scale = 1'000'000'000'000;

}  // namespace

std::int64_t CodeBuilder::scale_of(NodeId id) {
  const auto known = scales_.find(id);
  const std::int64_t scale = known != scales_.end() ? known->second : (scales_[id] = find_scale(id));
  if (scale == 0) throw NotScaled();
  return scale;
}

// 0 if there is no scale.
std::int64_t CodeBuilder::find_scale(NodeId id) {
  const Node& node = pool_[id];
  const auto operands = pool_.operands(id);
  if (node.kind < NodeKind::real) return pool_.is_random(id) ? 0 : 1;
  if (node.kind == NodeKind::floating || pool_.is_random(id)) return 0;
  const auto limited = [](__int128 scale) {
    return scale <= largest_scale ? static_cast<std::int64_t>(scale) : 0;
  };
  try {
    std::int64_t scale = 1;
    const auto include = [&](NodeId operand) {
      const std::int64_t other = scale_of(operand);
      scale = limited(static_cast<__int128>(scale) / std::gcd(scale, other) * other);
      if (scale == 0) throw NotScaled();
    };
    switch (node.operation) {
      case Operation::constant:
        return limited(node.number.denominator);
      case Operation::add:
      case Operation::minimum:
      case Operation::maximum:
      case Operation::absolute:
        for (const NodeId operand : operands) include(operand);
        return scale;
      case Operation::multiply:
        for (const NodeId operand : operands) {
          scale = limited(static_cast<__int128>(scale) * scale_of(operand));
          if (scale == 0) return 0;
        }
        return scale;
      case Operation::divide: {
        if (!pool_.is_constant(operands[1]) || pool_.is_false(operands[1])) return 0;
        const std::int64_t numerator = pool_[operands[1]].number.numerator;
        if (numerator > largest_scale || numerator < -largest_scale) return 0;
        return limited(static_cast<__int128>(scale_of(operands[0])) * std::abs(numerator));
      }
      case Operation::choose:
        for (std::size_t i = 1; i < operands.size(); i += 2) include(operands[i]);
        include(operands.back());
        return scale;
      default:
        return 0;
    }
  } catch (const NotScaled&) {
    return 0;
  }
}

// Requires that `scale` is a multiple of scale_of(id).
void CodeBuilder::scaled_into(NodeId id, std::int64_t scale, Register target) {
  const Node& node = pool_[id];
  const auto operands = pool_.operands(id);
  const Register before = next_temporary_;
  const auto times = [&](std::int64_t factor) {
    if (factor != 1) emit(CodeOperation::multiply, id, target, constant(factor), target);
  };
  const auto each = [&](CodeOperation operation, std::span<const NodeId> values) {
    for (const NodeId operand : values) {
      const Register value = temporary();
      scaled_into(operand, scale, value);
      emit(operation, id, target, value, target);
      next_temporary_ = value;
    }
  };
  if (node.operation == Operation::constant) {
    std::int64_t value = 0;
    if (__builtin_mul_overflow(node.number.numerator, scale / node.number.denominator, &value))
      throw NotScaled();
    emit(CodeOperation::move, id, constant(value), 0, target);
    return;
  }
  if (node.kind < NodeKind::real) {
    value_into(id, target, false);
    times(scale);
    return;
  }
  switch (node.operation) {
    case Operation::add:
      emit(CodeOperation::move, id, constant(0), 0, target);
      each(CodeOperation::add, operands);
      break;
    case Operation::minimum:
    case Operation::maximum:
      scaled_into(operands[0], scale, target);
      each(node.operation == Operation::minimum ? CodeOperation::minimum : CodeOperation::maximum,
           operands.subspan(1));
      break;
    case Operation::absolute:
      scaled_into(operands[0], scale, target);
      emit(CodeOperation::absolute, id, target, 0, target);
      break;
    case Operation::multiply:
      emit(CodeOperation::move, id, constant(scale / scale_of(id)), 0, target);
      for (const NodeId operand : operands) {
        const Register value = temporary();
        scaled_into(operand, scale_of(operand), value);
        emit(CodeOperation::multiply, id, target, value, target);
        next_temporary_ = value;
      }
      break;
    case Operation::divide: {
      const Rational divisor = pool_[operands[1]].number;
      scaled_into(operands[0], scale_of(operands[0]), target);
      times(scale / scale_of(id));
      times(divisor.numerator < 0 ? -divisor.denominator : divisor.denominator);
      break;
    }
    case Operation::choose:
      choice_into(id, [&](NodeId value) { scaled_into(value, scale, target); });
      break;
    default:
      throw NotScaled();
  }
  next_temporary_ = before;
}

void CodeBuilder::scaled_comparison_into(NodeId id, Register target) {
  const auto operands = pool_.operands(id);
  const Mark before = mark();
  try {
    const std::int64_t left = scale_of(operands[0]), right = scale_of(operands[1]);
    const __int128 common = static_cast<__int128>(left) / std::gcd(left, right) * right;
    if (common > largest_scale) throw NotScaled();
    const auto scale = static_cast<std::int64_t>(common);
    const Register a = temporary(), b = temporary();
    scaled_into(operands[0], scale, a);
    scaled_into(operands[1], scale, b);
    const Label yes = new_label(), end = new_label();
    const Operation operation = pool_[id].operation;
    jump(operation == Operation::equal  ? CodeOperation::jump_if_equal
         : operation == Operation::less ? CodeOperation::jump_if_less
                                        : CodeOperation::jump_if_at_most,
         id, a, b, yes);
    emit(CodeOperation::move, id, constant(0), 0, target);
    jump(CodeOperation::jump, id, 0, 0, end);
    bind(yes);
    emit(CodeOperation::move, id, constant(1), 0, target);
    bind(end);
    code_.scaled_.push_back({static_cast<std::uint32_t>(before.instructions), here(), id, target});
    next_temporary_ = before.temporaries;
  } catch (const NotScaled&) {
    rewind(before);
    tree_into(id, target, false);
  }
}

std::optional<CodeBuilder::ScaledEntry> CodeBuilder::add_scaled(NodeId node) {
  const Mark before = mark();
  const std::uint32_t address = begin(node);
  try {
    const std::int64_t scale = scale_of(node);
    const Register result = temporary();
    scaled_into(node, scale, result);
    emit(CodeOperation::finish, node, result, 0, 0);
    return ScaledEntry{address, scale};
  } catch (const NotScaled&) {
  } catch (const TooLarge&) {
  }
  rewind(before);
  code_.roots_.pop_back();
  return std::nullopt;
}

}  // namespace bnnplan::rddl
