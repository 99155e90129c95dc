// Expressions as gates. A Boolean becomes a literal, a number a linear form over variables of the problem
// (gate_arithmetic.cpp):
//
//   and, or          a clause for all operands and one for each
//   f <= 0 <-> y     f + high y <= high  and  f + (1 - low) y >= 1,  where low <= f <= high are whole numbers
//
// Any other operation (a remainder, a quotient, a function) is tabulated over new variables for its operands.
#include "bnnplan/rddl/compile/gate_writer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::rddl {

std::vector<NodeId> GateWriter::copied(std::span<const NodeId> operands) {
  return {operands.begin(), operands.end()};
}

LinearForm GateWriter::constant_form(const Rational& number) { return {{}, number}; }

LinearForm GateWriter::slot_form(std::uint32_t slot, const Rational& factor) {
  return {{{slot, factor}}, {}};
}

GateWriter::Truth GateWriter::negation(Truth truth) {
  if (truth.constant) return {!*truth.constant};
  truth.positive = !truth.positive;
  return truth;
}

LinearForm GateWriter::form_of(const Truth& truth) {
  if (truth.constant) return constant_form(make_rational(*truth.constant ? 1 : 0));
  LinearForm form = slot_form(truth.slot, truth.positive ? unit_factor : negative_unit);
  if (!truth.positive) form.constant = unit_factor;
  return form;
}

Interval GateWriter::range_of(const LinearForm& form) const {
  Interval range{true, form.constant, form.constant};
  for (const auto& [slot, coefficient] : form.terms) {
    const Interval& own = ranges_[slot];
    if (!own.known) throw OverflowError();
    const Interval share = bnnplan::rddl::scaled(own, coefficient);
    range.low = range.low + share.low;
    range.high = range.high + share.high;
  }
  return range;
}

GateWriter::Truth GateWriter::new_truth() {
  return {std::nullopt, compiler_.auxiliary(true, interval_of(0, 1)), true};
}

void GateWriter::clause(const std::vector<Truth>& literals) {
  std::vector<Literal> kept;
  for (const Truth& literal : literals) {
    if (literal.constant && *literal.constant) return;
    if (!literal.constant) kept.push_back({{literal.slot, 0}, literal.positive});
  }
  writer_.clause(Section::transitions, kept);
}

void GateWriter::at_most_zero(LinearForm form) {
  writer_.comparison(Section::transitions, {std::move(form), FormComparison::at_most_zero});
}

GateWriter::Truth GateWriter::truth(NodeId node) {
  if (const auto known = truths_.find(node); known != truths_.end()) return known->second;
  const Truth result = compute_truth(node);
  return truths_[node] = result;
}

LinearForm GateWriter::value(NodeId node) {
  if (pool_[node].kind == NodeKind::boolean) return form_of(truth(node));
  if (const auto known = values_.find(node); known != values_.end()) return known->second;
  const LinearForm result = compute_value(node);
  return values_[node] = result;
}

GateWriter::Truth GateWriter::compute_truth(NodeId node) {
  const Operation operation = pool_[node].operation;
  const std::vector<NodeId> operands = copied(pool_.operands(node));
  switch (operation) {
    case Operation::constant:
      return {pool_.is_true(node)};
    case Operation::variable:
      return {std::nullopt, pool_[node].first, true};
    case Operation::logical_not:
      return negation(truth(operands[0]));
    case Operation::logical_and:
    case Operation::logical_or: {
      const bool both = operation == Operation::logical_and;
      std::vector<Truth> truths;
      for (const NodeId operand : operands)
        truths.push_back(both ? truth(operand) : negation(truth(operand)));
      const Truth all = conjunction(std::move(truths));
      return both ? all : negation(all);
    }
    case Operation::equal:
      return equality(node);
    case Operation::less:
    case Operation::at_most: {
      const bool inexact =
          pool_[operands[0]].kind == NodeKind::floating || pool_[operands[1]].kind == NodeKind::floating;
      if (inexact && (!compiler_.function_decimals || compiler_.fits_table(node))) break;
      std::vector<NodeId> sides = operands;
      clear_divisor(sides);
      LinearForm form = value(sides[0]);
      form.add(value(sides[1]), negative_unit);
      return comparison(std::move(form), operation == Operation::less);
    }
    case Operation::choose:
      return choice_of_truths(operands);
    case Operation::select:
      return truth(selection_as_choice(node));
    default:
      break;
  }
  return {std::nullopt, table(node), true};
}

// a / b <= c is a <= b c if b is positive.
void GateWriter::clear_divisor(std::vector<NodeId>& sides) {
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const NodeId quotient = sides[side], other = sides[1 - side];
    if (pool_[quotient].operation != Operation::divide || pool_[other].operation == Operation::divide)
      continue;
    const NodeId dividend = pool_.operands(quotient)[0], divisor = pool_.operands(quotient)[1];
    const Interval range = evaluate_interval(pool_, divisor, ranges_);
    if (!range.known || range.low <= Rational{}) continue;
    sides[side] = dividend;
    sides[1 - side] = pool_.make(Operation::multiply, {other, divisor}, pool_.place(quotient));
    return;
  }
}

GateWriter::Truth GateWriter::conjunction(std::vector<Truth> operands) {
  std::vector<Truth> open;
  for (const Truth& operand : operands) {
    if (operand.constant && !*operand.constant) return {false};
    if (!operand.constant) open.push_back(operand);
  }
  if (open.empty()) return {true};
  if (open.size() == 1) return open.front();
  const Truth result = new_truth();
  std::vector<Truth> if_all = {result};
  for (const Truth& operand : open) {
    clause({negation(result), operand});
    if_all.push_back(negation(operand));
  }
  clause(if_all);
  return result;
}

GateWriter::Truth GateWriter::comparison(LinearForm form, bool strict) {
  form = without_fractions(form);
  if (strict) form.constant = form.constant + unit_factor;
  const Interval range = range_of(form);
  if (range.high <= Rational{}) return {true};
  if (range.low > Rational{}) return {false};
  // A single Boolean needs no new variable.
  if (form.terms.size() == 1) {
    const auto& [slot, coefficient] = *form.terms.begin();
    if (writer_.variable(slot).boolean) return {std::nullopt, slot, coefficient < Rational{}};
  }
  const Truth result = new_truth();
  LinearForm if_true = form;
  if_true.add(form_of(result), range.high);
  if_true.constant = if_true.constant - range.high;
  at_most_zero(std::move(if_true));
  LinearForm if_false = constant_form(unit_factor);
  if_false.add(form, negative_unit);
  if_false.add(form_of(result), range.low - unit_factor);
  at_most_zero(std::move(if_false));
  return result;
}

GateWriter::Truth GateWriter::equality(NodeId node) {
  const std::vector<NodeId> operands = copied(pool_.operands(node));
  const NodeKind left = pool_[operands[0]].kind, right = pool_[operands[1]].kind;
  const bool inexact = left == NodeKind::floating || right == NodeKind::floating;
  if (inexact && (!compiler_.function_decimals || compiler_.fits_table(node)))
    return {std::nullopt, table(node), true};
  if (left == NodeKind::boolean && right == NodeKind::boolean) {
    const Truth a = truth(operands[0]), b = truth(operands[1]);
    if (a.constant) return *a.constant ? b : negation(b);
    if (b.constant) return *b.constant ? a : negation(a);
    const Truth result = new_truth();
    clause({negation(result), negation(a), b});
    clause({negation(result), a, negation(b)});
    clause({result, a, b});
    clause({result, negation(a), negation(b)});
    return result;
  }
  LinearForm form = value(operands[0]);
  form.add(value(operands[1]), negative_unit);
  return conjunction({comparison(form, false), comparison(form * negative_unit, false)});
}

// From the last case backwards: if (c) then a else b.
GateWriter::Truth GateWriter::choice_of_truths(std::span<const NodeId> operands) {
  Truth result = truth(operands.back());
  for (std::size_t i = operands.size() - 1; i >= 2; i -= 2) {
    const Truth condition = truth(operands[i - 2]), then = truth(operands[i - 1]), otherwise = result;
    if (condition.constant) {
      if (*condition.constant) result = then;
      continue;
    }
    result = new_truth();
    clause({negation(condition), negation(then), result});
    clause({negation(condition), then, negation(result)});
    clause({condition, negation(otherwise), result});
    clause({condition, otherwise, negation(result)});
  }
  return result;
}

// A new variable for a Boolean or an integer that has no gate.
std::uint32_t GateWriter::table(NodeId node) {
  if (pool_[node].kind >= NodeKind::real) {
    throw RddlError(
        pool_.place(node),
        "a part that is a fraction (a quotient of two variables, a product of two numbers) is not supported "
        "in an expression this large: expected interm-fluents for its parts");
  }
  const NodeId small = compiler_.fits_table(node) ? node : reduced(node, true);
  if (!compiler_.fits_table(small)) {
    int bits = 0;
    for (const std::uint32_t slot : slots_of(pool_, small)) bits += writer_.variable(slot).bits;
    const Operation operation = pool_[node].operation;
    throw RddlError(pool_.place(node),
                    fmt::format("this {} depends on too many bits to tabulate ({}, {} sets the "
                                "limit): expected smaller ranges, {}or interm-fluents for its parts",
                                operation == Operation::math     ? "function"
                                : operation == Operation::divide ? "quotient"
                                                                 : "part",
                                bits, option_name("table-bits"),
                                compiler_.function_decimals
                                    ? fmt::format("a coarser {} of reals, ", option_name("precision"))
                                    : ""));
  }
  const bool boolean = pool_[node].kind == NodeKind::boolean;
  Interval range = boolean ? interval_of(0, 1) : evaluate_interval(pool_, small, ranges_);
  if (!range.known) range = compiler_.range(small);
  if (!range.known) throw RddlError(pool_.place(node), "the range of this part is unknown");
  const std::uint32_t slot = compiler_.auxiliary(boolean, range);
  compiler_.tabulate(slot, small);
  return slot;
}

// The same expression with variables for its largest parts that are Boolean or whole numbers.
NodeId GateWriter::reduced(NodeId node, bool root) {
  const Node data = pool_[node];
  if (data.operation == Operation::constant || data.operation == Operation::variable) return node;
  const SourcePlace place = pool_.place(node);
  if (!root && data.kind < NodeKind::real) {
    const LinearForm form = value(node);
    const Interval range = range_of(form);
    if (!is_integer(range.low) || !is_integer(range.high)) throw OverflowError();
    if (form.terms.empty()) return pool_.constant(form.constant, data.kind);
    const bool boolean = data.kind == NodeKind::boolean;
    const std::uint32_t slot = compiler_.auxiliary(boolean, range);
    equate(slot, form);
    return pool_.variable(slot, data.kind, place);
  }
  std::vector<NodeId> operands;
  for (const NodeId operand : copied(pool_.operands(node))) operands.push_back(reduced(operand, false));
  return pool_.like(data, std::move(operands), place);
}

void GateWriter::equate(std::uint32_t slot, LinearForm form) {
  form.add(slot_form(slot), negative_unit);
  writer_.comparison(Section::transitions, {without_fractions(form), FormComparison::zero});
}

void GateWriter::define(std::uint32_t target, NodeId node) {
  equate(target, pool_[node].kind == NodeKind::boolean ? form_of(truth(node)) : value(node));
}

void GateWriter::require(Section section, NodeId node, bool negated) {
  const Truth holds = negated ? negation(truth(node)) : truth(node);
  if (holds.constant) {
    if (!*holds.constant) writer_.falsity(section);
    return;
  }
  writer_.clause(section, {{{holds.slot, 0}, holds.positive}});
}

}  // namespace bnnplan::rddl
