// Comparisons with 0, which produce bits, in whatever form they are written: Sign, Greater and the like.
// Booleans are 0 and 1, so Where, Cast and Not are affine maps of them.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "bnnplan/exchange/onnx_operations.hpp"

namespace bnnplan::exchange {

namespace {

using Values = std::vector<GraphValue>;

enum class Outcome { one, zero, neither };

Outcome outcome_of(const Surd& value, ZeroGives at_zero) {
  const int sign = value.sign();
  if (sign != 0) return sign > 0 ? Outcome::one : Outcome::zero;
  return at_zero == ZeroGives::one    ? Outcome::one
         : at_zero == ZeroGives::zero ? Outcome::zero
                                      : Outcome::neither;
}

// Compares scale * s + shift with 0, where s is itself the outcome of a comparison, -1 or +1, or 0 if that
// was left open (Sign): the result is the same bit, its negation or a constant, and what was open may no
// longer be: sign(sign(x) + 0.1) is 1 at 0.
BitUnit bit_of_bit(const NodeView& view, const BitUnit& source, const Element& element, ZeroGives at_zero) {
  const Outcome high = outcome_of(element.shift + element.scale, at_zero);
  const Outcome low = outcome_of(element.shift - element.scale, at_zero);
  const Outcome open = outcome_of(element.shift, at_zero);
  const bool is_open = source.at_zero == ZeroGives::neither;
  if (high == Outcome::neither || low == Outcome::neither)
    view.fail("a bit becomes 0, which is neither of its two values; specify the option 'tie', the sign of 0");
  const auto gives = [](Outcome outcome) {
    return outcome == Outcome::one    ? ZeroGives::one
           : outcome == Outcome::zero ? ZeroGives::zero
                                      : ZeroGives::neither;
  };
  if (high == low) {
    if (is_open && open != high) view.fail("tests where a sign is 0");
    return {source.unit, Surd(0), Surd(high == Outcome::one ? 1 : -1), ZeroGives::one};
  }
  BitUnit bit = source;
  if (is_open) bit.at_zero = gives(open);
  if (high == Outcome::one) return bit;
  bit.scale = -bit.scale;
  bit.shift = -bit.shift;
  if (!is_open) bit.at_zero = source.at_zero == ZeroGives::one ? ZeroGives::zero : ZeroGives::one;
  return bit;
}

Values sign(const NodeView& view) {
  const ValuePointer value = view.input(0);
  if (value->kind != GraphValueKind::constant) {
    GraphValue bits = compared_with_zero(view, *value, view.walk().options.tie.value_or(ZeroGives::neither));
    bits.whole = value->whole;
    return {std::move(bits)};
  }
  view.check_size(value->shape);
  std::vector<Surd> signs;
  for (const Surd& number : value->numbers) signs.emplace_back(number.sign());
  return {view.constant_of(value->shape, std::move(signs), value->whole)};
}

// Compares left - right with 0, for a value and a constant; `turned` for < and <=.
Values comparison(const NodeView& view, bool turned, bool or_equal) {
  const ValuePointer left = view.input(turned ? 1 : 0), right = view.input(turned ? 0 : 1);
  const std::optional<Broadcast> both = broadcast(left->shape, right->shape);
  if (!both)
    view.fail(fmt::format("{} and {} do not fit", shape_text(left->shape), shape_text(right->shape)));
  view.check_size(both->shape);
  if (left->kind == GraphValueKind::constant && right->kind == GraphValueKind::constant) {
    std::vector<Surd> truths;
    for (std::size_t i = 0; i < both->left.size(); ++i) {
      const int order = (left->numbers[both->left[i]] - right->numbers[both->right[i]]).sign();
      truths.emplace_back(order > 0 || (or_equal && order == 0) ? 1 : 0);
    }
    return {view.constant_of(both->shape, std::move(truths))};
  }
  if (left->kind != GraphValueKind::constant && right->kind != GraphValueKind::constant)
    return {view.opaque("compares two values of the network, expected a constant")};
  const bool constant_left = left->kind == GraphValueKind::constant;
  GraphValue difference =
      rearranged(constant_left ? *right : *left, both->shape, constant_left ? both->right : both->left);
  if (constant_left) difference = affine_of(std::move(difference), Surd(-1), Surd(0));
  for (std::size_t i = 0; i < difference.elements.size(); ++i) {
    Surd& shift = difference.elements[i].shift;
    shift = constant_left ? shift + left->numbers[both->left[i]] : shift - right->numbers[both->right[i]];
  }
  const GraphValue bits = compared_with_zero(view, difference, or_equal ? ZeroGives::one : ZeroGives::zero);
  return {affine_of(bits, Surd(0.5), Surd(0.5))};
}

Values greater(const NodeView& view) { return comparison(view, false, false); }
Values greater_or_equal(const NodeView& view) { return comparison(view, false, true); }
Values less(const NodeView& view) { return comparison(view, true, false); }
Values less_or_equal(const NodeView& view) { return comparison(view, true, true); }

// Bits whose two values are 0 and 1.
bool is_truth(const NodeView& view, const GraphValue& value) {
  if (value.kind != GraphValueKind::affine || view.walk().stages[value.stage].kind != StageKind::bits)
    return false;
  return std::all_of(value.elements.begin(), value.elements.end(), [](const Element& element) {
    return element.shift == Surd(0.5) && (element.scale == Surd(0.5) || element.scale == Surd(-0.5));
  });
}

Values logical_not(const NodeView& view) {
  const ValuePointer value = view.input(0);
  if (value->kind == GraphValueKind::constant) {
    std::vector<Surd> truths;
    for (const Surd& number : value->numbers) truths.emplace_back(number.is_zero() ? 1 : 0);
    return {view.constant_of(value->shape, std::move(truths))};
  }
  if (!is_truth(view, *value)) view.fail("applied to values that are neither true nor false");
  return {affine_of(*value, Surd(-1), Surd(1))};
}

Values where(const NodeView& view) {
  const ValuePointer condition = view.input(0), yes = view.constant(1), no = view.constant(2);
  const std::optional<Broadcast> choices = broadcast(yes->shape, no->shape);
  std::optional<Broadcast> all;
  if (choices) all = broadcast(condition->shape, choices->shape);
  if (!all) view.fail("shapes that do not fit");
  view.check_size(all->shape);
  const auto choice = [&](std::size_t i, bool taken) -> const Surd& {
    const std::size_t at = all->right[i];
    return taken ? yes->numbers[choices->left[at]] : no->numbers[choices->right[at]];
  };
  if (condition->kind == GraphValueKind::constant) {
    std::vector<Surd> numbers;
    for (std::size_t i = 0; i < all->left.size(); ++i)
      numbers.push_back(choice(i, !condition->numbers[all->left[i]].is_zero()));
    return {view.constant_of(all->shape, std::move(numbers), yes->whole)};
  }
  if (!is_truth(view, *condition)) view.fail("the condition is neither true nor false");
  GraphValue result = rearranged(*condition, all->shape, all->left);
  result.whole = yes->whole;
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    const Surd span = choice(i, true) - choice(i, false);
    Element& element = result.elements[i];
    element.scale = element.scale * span;
    element.shift = element.shift * span + choice(i, false);
  }
  return {result};
}

// Data types of onnx.proto.
constexpr std::array float_kinds = {std::int64_t{1}, std::int64_t{10}, std::int64_t{11}, std::int64_t{16}};
constexpr std::int64_t float_kind = 1, double_kind = 11, boolean_kind = 9, int32_kind = 6, int64_kind = 7;

// Constants cast to floats are rounded, as every runtime does. Rounding to half floats is not implemented:
// only whole numbers up to 256, which every such type can represent, are accepted.
GraphValue rounded_to_floats(const NodeView& view, GraphValue value, bool single) {
  for (Surd& number : value.numbers) {
    if (!number.is_double()) view.fail("rounds a number that is not a double");
    const double given = number.as_double();
    if (!single && !(std::trunc(given) == given && std::abs(given) <= 256))
      view.fail("rounds numbers to half floats");
    if (single) number = Surd(static_cast<double>(static_cast<float>(given)));
  }
  return value;
}

// Sign leaves 0 between -1 and +1 open, and a cast to integers or booleans may round what became of that 0,
// such as 1/2 to 0 or to true: then it is no longer open. Empty if it became a third integer.
std::optional<GraphValue> rounded_truth(const NodeView& view, const GraphValue& value, bool to_boolean) {
  const Stage& bits = view.walk().stages[value.stage];
  const bool open = std::any_of(value.elements.begin(), value.elements.end(), [&](const Element& element) {
    const Surd& middle = element.shift;
    return bits.bits[element.unit].at_zero == ZeroGives::neither &&
           (to_boolean || !middle.is_double() || std::trunc(middle.as_double()) != middle.as_double());
  });
  if (!open) return value;
  if (!is_truth(view, value)) return std::nullopt;
  // 1/2 is true, and as an integer 0: x > 0, or x >= 1.
  GraphValue compared = to_boolean
                            ? compared_with_zero(view, value, ZeroGives::zero)
                            : compared_with_zero(view, affine_of(value, Surd(1), Surd(-1)), ZeroGives::one);
  return affine_of(std::move(compared), Surd(0.5), Surd(0.5));
}

// Constants as integers or booleans.
GraphValue whole_constants(const NodeView& view, const GraphValue& value, bool to_boolean) {
  std::vector<Surd> numbers;
  for (const Surd& number : value.numbers) {
    if (to_boolean) {
      numbers.emplace_back(number.is_zero() ? 0 : 1);
    } else {
      if (!number.is_double()) view.fail("rounds square roots to integers");
      numbers.emplace_back(std::trunc(number.as_double()));
    }
  }
  return view.constant_of(value.shape, std::move(numbers), !to_boolean);
}

// Bits whose two values are whole numbers.
bool are_whole_bits(const NodeView& view, const GraphValue& value) {
  const auto is_whole = [](const Surd& number) {
    return number.is_double() && std::trunc(number.as_double()) == number.as_double();
  };
  return view.walk().stages[value.stage].kind == StageKind::bits &&
         std::all_of(value.elements.begin(), value.elements.end(), [&](const Element& element) {
           return is_whole(element.shift - element.scale) && is_whole(element.shift + element.scale);
         });
}

Values cast(const NodeView& view) {
  GraphValue value = *view.raw(0);
  if (value.kind == GraphValueKind::opaque) return {value};
  const std::int64_t kind = view.integer("to", 1);
  const bool to_floats = std::find(float_kinds.begin(), float_kinds.end(), kind) != float_kinds.end();
  const bool to_boolean = kind == boolean_kind;
  if (value.kind == GraphValueKind::classes) {
    if (to_boolean) return {view.opaque("converts classes to booleans")};
    return {value};
  }
  if (value.is_squashed) {
    if (!to_floats) return {view.opaque("rounds the output of Softmax to integers")};
    return {value};
  }
  const bool was_whole = value.whole;
  value.whole = !to_floats && !to_boolean;
  if (!value.residues.empty()) {
    if (to_floats) return {value};
    return {view.opaque("rounds bits to which another value was added", value.shape)};
  }
  if (to_floats) {
    if (value.kind != GraphValueKind::constant || kind == double_kind) return {value};
    return {rounded_to_floats(view, std::move(value), kind == float_kind)};
  }
  if (value.kind == GraphValueKind::constant) return {whole_constants(view, value, to_boolean)};
  if (was_whole && (kind == int32_kind || kind == int64_kind)) return {value};
  if (is_truth(view, value) || (!to_boolean && are_whole_bits(view, value))) {
    if (std::optional<GraphValue> rounded = rounded_truth(view, value, to_boolean)) {
      rounded->whole = value.whole;
      return {std::move(*rounded)};
    }
  }
  return {view.opaque("rounds values of the network to integers", value.shape)};
}

}  // namespace

GraphValue compared_with_zero(const NodeView& view, const GraphValue& value, ZeroGives at_zero) {
  GraphWalk& walk = view.walk();
  view.check_size(value.shape);
  const Stage& below = walk.stages[value.stage];
  Stage stage;
  stage.kind = StageKind::bits;
  stage.place = view.place();
  stage.below = below.kind == StageKind::bits ? below.below : value.stage;
  SharedUnits<BitUnit> units(walk.samples);
  GraphValue result = value;
  result.whole = false;
  result.stage = walk.stages.size();
  for (std::size_t i = 0; i < value.elements.size(); ++i) {
    const Element& element = value.elements[i];
    BitUnit bit{element.unit, element.scale, element.shift, at_zero};
    if (below.kind == StageKind::bits) bit = bit_of_bit(view, below.bits[element.unit], element, at_zero);
    result.elements[i] = {units.add(element.sample, std::move(bit)), element.sample};
  }
  stage.units = units.size();
  stage.bits = std::move(units).take();
  walk.stages.push_back(std::move(stage));
  return result;
}

const OperationTable& comparison_operations() {
  static const OperationTable table = {{"Sign", sign},
                                       {"Greater", greater},
                                       {"GreaterOrEqual", greater_or_equal},
                                       {"Less", less},
                                       {"LessOrEqual", less_or_equal},
                                       {"Not", logical_not},
                                       {"Where", where},
                                       {"Cast", cast}};
  return table;
}

}  // namespace bnnplan::exchange
