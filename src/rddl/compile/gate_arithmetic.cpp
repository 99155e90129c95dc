// Numbers as gates: a linear form over variables of the problem, some of them new.
//
//   b f              f if b is true, else 0: a new variable p between 0 and f, with four rows
//   if, min, max     sums of such products over the cases, which exclude each other
//   floor(f)         a new variable q with  q <= f < q + 1
//   f g              with the bits b of f as new variables: the sum of 2^b (bit b) g;
//                    if f is c + k b: c g + k (b g)
//
// If reals are fixed point, functions and quotients are rounded to some decimals and tabulated.
#include <algorithm>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/rddl/compile/gate_writer.hpp"

namespace bnnplan::rddl {

LinearForm GateWriter::compute_value(NodeId node) {
  const Node data = pool_[node];
  if (data.kind == NodeKind::floating && !compiler_.function_decimals) {
    throw RddlError(pool_.place(node),
                    "this is a floating-point number: planning is exact, expected a fraction or a "
                    "comparison that it takes part in");
  }
  const std::vector<NodeId> operands = copied(pool_.operands(node));
  switch (data.operation) {
    case Operation::constant:
      return constant_form(data.number);
    case Operation::variable:
      return slot_form(data.first);
    case Operation::add: {
      LinearForm sum;
      for (const NodeId operand : operands) sum.add(value(operand), unit_factor);
      return sum;
    }
    case Operation::multiply:
      return product(operands);
    case Operation::choose:
      return choice(operands);
    case Operation::select:
      return value(selection_as_choice(node));
    case Operation::minimum:
    case Operation::maximum:
      return extreme(node);
    case Operation::argument_of_minimum:
    case Operation::argument_of_maximum:
      return value(argument_as_choice(node));
    case Operation::absolute: {
      const NodeId zero = pool_.constant(Rational{}, NodeKind::integer);
      const NodeId minus = pool_.constant(negative_unit, NodeKind::integer);
      const NodeId opposite = pool_.make(Operation::multiply, {operands[0], minus}, pool_.place(node));
      const NodeId positive = pool_.make(Operation::at_most, {zero, operands[0]}, pool_.place(node));
      return value(pool_.make(Operation::choose, {positive, operands[0], opposite}, pool_.place(node)));
    }
    case Operation::floor:
      return rounded_down(node);
    default:
      if (data.kind >= NodeKind::real && compiler_.function_decimals) return rounded_function(node);
      return slot_form(table(node));
  }
}

LinearForm GateWriter::rounded_down(NodeId node) {
  const NodeId operand = pool_.operands(node)[0];
  const bool linear = linear_form(pool_, operand).has_value();
  const bool gates = pool_[operand].kind != NodeKind::floating || compiler_.function_decimals;
  if (!gates || (!linear && compiler_.fits_table(node))) return slot_form(table(node));
  const LinearForm form = value(operand);
  if (form.terms.empty()) return constant_form(make_rational(floor(form.constant)));
  const Interval range = range_of(form);
  const Interval whole = interval_of(floor(range.low), floor(range.high));
  const std::uint32_t slot = compiler_.auxiliary(false, whole);
  LinearForm above = slot_form(slot);
  above.add(form, negative_unit);
  at_most_zero(above);
  LinearForm below = above * negative_unit;
  below.constant = below.constant - unit_factor;
  writer_.comparison(Section::transitions, {below, FormComparison::below_zero});
  return slot_form(slot);
}

// To the nearest number with function_decimals decimals.
LinearForm GateWriter::rounded_function(NodeId node) {
  const SourcePlace place = pool_.place(node);
  const Rational units = make_rational(checked_power_of_ten(*compiler_.function_decimals));
  const NodeId scaled = pool_.make(Operation::multiply, {node, pool_.constant(units, NodeKind::real)}, place);
  const NodeId moved =
      pool_.make(Operation::add, {scaled, pool_.constant(make_rational(1, 2), NodeKind::real)}, place);
  return slot_form(table(pool_.make(Operation::floor, {moved}, place)), unit_factor / units);
}

// The same form over one new variable, so that a product of many factors is a chain of short rows.
LinearForm GateWriter::of_one_variable(const LinearForm& form) {
  if (form.terms.size() <= 1) return form;
  const LinearForm whole = without_fractions(form);
  const Interval range = range_of(whole);
  const std::uint32_t slot = compiler_.auxiliary(false, range);
  equate(slot, whole);
  return slot_form(slot, form.terms.begin()->second / whole.terms.begin()->second);
}

// Long multiplication by the factor with the smaller range.
LinearForm GateWriter::multiplied(const LinearForm& a, const LinearForm& b) {
  if (a.terms.empty()) return b * a.constant;
  if (b.terms.empty()) return a * b.constant;
  // A factor c + k x with one Boolean x has two values, and needs no bits: c b + k (x b).
  const auto two_valued = [&](const LinearForm& form) {
    return form.terms.size() == 1 && writer_.variable(form.terms.begin()->first).boolean;
  };
  if (two_valued(a) || two_valued(b)) {
    const LinearForm& factor = two_valued(a) ? a : b;
    const LinearForm other = of_one_variable(two_valued(a) ? b : a);
    const auto& [slot, coefficient] = *factor.terms.begin();
    LinearForm result = other * factor.constant;
    result.add(scaled({std::nullopt, slot, true}, other), coefficient);
    return result;
  }
  const Interval range_a = range_of(without_fractions(a)), range_b = range_of(without_fractions(b));
  if (range_b.high - range_b.low < range_a.high - range_a.low) return multiplied(b, a);
  const LinearForm whole = without_fractions(a);
  const Rational factor = a.terms.begin()->second / whole.terms.begin()->second;
  // whole == low + sum 2^b bit_b
  LinearForm rest = whole;
  rest.constant = rest.constant - range_a.low;
  LinearForm result = b * range_a.low;
  const Rational most = range_a.high - range_a.low;
  for (Rational weight = unit_factor; weight <= most; weight = weight + weight) {
    const Truth bit = new_truth();
    rest.add(form_of(bit), Rational{} - weight);
    result.add(scaled(bit, b), weight);
  }
  writer_.comparison(Section::transitions, {rest, FormComparison::zero});
  return result * factor;
}

LinearForm GateWriter::product(std::span<const NodeId> operands) {
  Rational factor = unit_factor;
  std::vector<Truth> truths;
  std::vector<NodeId> numbers;
  for (const NodeId operand : operands) {
    if (pool_.is_constant(operand)) {
      factor = factor * pool_[operand].number;
    } else if (pool_[operand].kind == NodeKind::boolean) {
      truths.push_back(truth(operand));
    } else {
      numbers.push_back(operand);
    }
  }
  LinearForm result = constant_form(unit_factor);
  if (numbers.size() == 1) result = value(numbers[0]);
  if (numbers.size() > 1) {
    const NodeId whole = pool_.make(Operation::multiply, numbers, pool_.place(numbers[0]));
    if (pool_[whole].kind < NodeKind::real && compiler_.fits_table(whole)) {
      result = slot_form(table(whole));
    } else {
      result = value(numbers[0]);
      for (std::size_t i = 1; i < numbers.size(); ++i) result = multiplied(result, value(numbers[i]));
    }
  }
  if (!truths.empty()) result = scaled(conjunction(std::move(truths)), result);
  return result * factor;
}

LinearForm GateWriter::scaled(const Truth& truth, const LinearForm& form) {
  if (truth.constant) return *truth.constant ? form : LinearForm{};
  if (form.terms.empty()) return form_of(truth) * form.constant;
  // In whole numbers: p == form if the truth holds, p == 0 if not.
  const LinearForm whole = without_fractions(form);
  const Rational factor = form.terms.begin()->second / whole.terms.begin()->second;
  const Interval range = range_of(whole);
  const Interval with_zero{true, std::min(range.low, Rational{}), std::max(range.high, Rational{})};
  const std::uint32_t p = compiler_.auxiliary(false, with_zero);
  for (const bool upper : {true, false}) {
    const Rational sign = upper ? unit_factor : negative_unit;
    const Rational largest = upper ? with_zero.high : Rational{} - with_zero.low;
    LinearForm if_false = slot_form(p, sign);  // sign p <= largest truth
    if_false.add(form_of(truth), Rational{} - largest);
    at_most_zero(std::move(if_false));
    // sign (p - form) <= slack (1 - truth)
    const Rational slack = upper ? Rational{} - range.low : range.high;
    LinearForm if_true = slot_form(p, sign);
    if_true.add(whole, Rational{} - sign);
    if_true.add(form_of(truth), slack);
    if_true.constant = if_true.constant - slack;
    at_most_zero(std::move(if_true));
  }
  return slot_form(p, factor);
}

// The sum over the cases, each times the literal that selects it.
LinearForm GateWriter::choice(std::span<const NodeId> operands) {
  LinearForm sum;
  std::vector<Truth> none_before;
  for (std::size_t i = 0; i < operands.size(); i += 2) {
    const bool last = i + 1 == operands.size();
    std::vector<Truth> here = none_before;
    if (!last) here.push_back(truth(operands[i]));
    sum.add(scaled(conjunction(std::move(here)), value(operands[last ? i : i + 1])), unit_factor);
    if (!last) none_before.push_back(negation(truth(operands[i])));
  }
  return sum;
}

LinearForm GateWriter::extreme(NodeId node) {
  const Operation operation = pool_[node].operation;
  const std::vector<NodeId> operands = copied(pool_.operands(node));
  NodeId best = operands[0];
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const bool least = operation == Operation::minimum;
    const NodeId better = pool_.make(
        Operation::at_most, {least ? best : operands[i], least ? operands[i] : best}, pool_.place(node));
    best = pool_.make(Operation::choose, {better, best, operands[i]}, pool_.place(node));
  }
  return value(best);
}

NodeId GateWriter::argument_as_choice(NodeId node) {
  const bool least = pool_[node].operation == Operation::argument_of_minimum;
  const std::vector<NodeId> operands = copied(pool_.operands(node));
  const SourcePlace place = pool_.place(node);
  std::vector<NodeId> cases;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    // Not worse than those after it; those before it are worse, or their case would have been chosen.
    std::vector<NodeId> better;
    for (std::size_t j = i + 1; j < operands.size(); ++j) {
      better.push_back(pool_.make(
          Operation::at_most, {least ? operands[i] : operands[j], least ? operands[j] : operands[i]}, place));
    }
    if (i + 1 < operands.size()) cases.push_back(pool_.make(Operation::logical_and, better, place));
    cases.push_back(pool_.constant(make_rational(static_cast<std::int64_t>(i)), NodeKind::integer));
  }
  return pool_.make(Operation::choose, cases, place);
}

NodeId GateWriter::selection_as_choice(NodeId node) {
  const std::vector<NodeId> operands = copied(pool_.operands(node));
  const SourcePlace place = pool_.place(node);
  std::vector<NodeId> cases;
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const NodeId number = pool_.constant(make_rational(static_cast<std::int64_t>(i) - 1), NodeKind::integer);
    if (i + 1 < operands.size()) cases.push_back(pool_.make(Operation::equal, {operands[0], number}, place));
    cases.push_back(operands[i]);
  }
  return pool_.make(Operation::choose, cases, place);
}

}  // namespace bnnplan::rddl
