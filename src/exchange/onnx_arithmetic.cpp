// Elementwise arithmetic. Constants are computed exactly; a value of the network remains  scale * unit +
// shift when constants are added or multiplied, and so under batch normalisation, in whatever form it is
// written.
//
// Straight-through estimators leave (sign(x) - c(x)) + c(x) in a graph, with c the clipped or the plain x. A
// value that is added to bits is remembered as a residue, and forgotten when it is subtracted again; only
// then can the bits be used. The same goes for values that are not part of a binarized network at all (opaque
// ones): Clip(x) may be added and subtracted.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "bnnplan/exchange/onnx_operations.hpp"

namespace bnnplan::exchange {

namespace {

using Values = std::vector<GraphValue>;

// Straight-through estimators have one or two; every addition copies and searches them.
constexpr std::size_t most_residues = 64;

// Residues may be added to bits, and to constants (latent weights have straight-through estimators, too).
bool may_have_residues(const NodeView& view, const GraphValue& value) {
  return value.kind == GraphValueKind::constant ||
         (value.kind == GraphValueKind::affine && view.walk().stages[value.stage].kind == StageKind::bits);
}

bool is_plain_constant(const GraphValue& value) {
  return value.kind == GraphValueKind::constant && value.residues.empty();
}

// factor * value, including everything that was added to it.
GraphValue times(GraphValue value, double factor) {
  if (factor == 1) return value;
  for (Surd& number : value.numbers) number = number * Surd(factor);
  for (Residue& residue : value.residues) residue.factor = residue.factor * Surd(factor);
  return affine_of(std::move(value), Surd(factor), Surd(0));
}

Broadcast meeting(const NodeView& view, const GraphValue& left, const GraphValue& right) {
  std::optional<Broadcast> both = broadcast(left.shape, right.shape);
  if (!both) view.fail(fmt::format("{} and {} do not fit", shape_text(left.shape), shape_text(right.shape)));
  view.check_size(both->shape);
  return std::move(*both);
}

// An operation on constants.
template <class Function>
GraphValue constants(const NodeView& view, const GraphValue& left, const GraphValue& right,
                     Function function) {
  Broadcast both = meeting(view, left, right);
  std::vector<Surd> numbers;
  numbers.reserve(both.left.size());
  for (std::size_t i = 0; i < both.left.size(); ++i)
    numbers.push_back(function(left.numbers[both.left[i]], right.numbers[both.right[i]]));
  return view.constant_of(std::move(both.shape), std::move(numbers), left.whole && right.whole);
}

// A value that no longer depends on any unit is a constant: x - x.
GraphValue simplified(const NodeView& view, GraphValue value) {
  const bool constant = value.kind == GraphValueKind::affine && !value.elements.empty() &&
                        value.residues.empty() &&
                        std::all_of(value.elements.begin(), value.elements.end(),
                                    [](const Element& e) { return e.scale.is_zero(); });
  if (!constant) return value;
  std::vector<Surd> numbers;
  for (const Element& element : value.elements) numbers.push_back(element.shift);
  return view.constant_of(value.shape, std::move(numbers), value.whole);
}

// Changes a value of the network elementwise by a constant. Residues are left alone; a caller that multiplies
// has to multiply them, too.
template <class Function>
GraphValue changed(const NodeView& view, const GraphValue& value, const GraphValue& constant,
                   Function function) {
  const Broadcast both = meeting(view, value, constant);
  if (!value.residues.empty() && both.shape != value.shape)
    return view.opaque("changes the shape of bits with a residue");
  GraphValue result = rearranged(value, both.shape, both.left);
  for (std::size_t i = 0; i < result.elements.size(); ++i)
    function(result.elements[i], constant.numbers[both.right[i]]);
  return result;
}

GraphValue added_constant(const NodeView& view, const GraphValue& value, const GraphValue& constant) {
  return changed(view, value, constant,
                 [](Element& element, const Surd& number) { element.shift = element.shift + number; });
}

GraphValue multiplied(const NodeView& view, const GraphValue& value, const GraphValue& constant) {
  if (!value.residues.empty() && constant.numbers.size() != 1)
    return view.opaque("scales bits with a residue");
  GraphValue result = changed(view, value, constant, [](Element& element, const Surd& factor) {
    element.scale = element.scale * factor;
    element.shift = element.shift * factor;
  });
  for (Residue& residue : result.residues) residue.factor = residue.factor * constant.numbers[0];
  return simplified(view, std::move(result));
}

// left + factor * right, where neither is a plain constant, or one is and the other is opaque.
GraphValue added(const NodeView& view, const GraphValue& left, const GraphValue& right, double factor) {
  if (left.shape != right.shape) {
    if (left.kind == GraphValueKind::opaque) return left;
    if (right.kind == GraphValueKind::opaque) return right;
    return view.opaque("adds values of different shapes");
  }
  const auto residue_of = [](const GraphValue& value, std::size_t id) {
    return std::find_if(value.residues.begin(), value.residues.end(),
                        [&](const Residue& r) { return r.value == id; });
  };
  // (bits - c) + c
  if (const auto found = residue_of(left, right.id);
      found != left.residues.end() && found->factor == Surd(-factor) && right.residues.empty()) {
    GraphValue result = left;
    result.residues.erase(result.residues.begin() + (found - left.residues.begin()));
    return result;
  }
  // c + (bits - c)
  if (const auto found = residue_of(right, left.id);
      found != right.residues.end() && found->factor * Surd(factor) == Surd(-1) && left.residues.empty()) {
    GraphValue result = times(right, factor);
    result.residues.erase(result.residues.begin() + (found - right.residues.begin()));
    return result;
  }
  // The same units: x + x, x - x.
  const bool same_units =
      left.kind == GraphValueKind::affine && right.kind == GraphValueKind::affine &&
      left.stage == right.stage && left.residues.empty() && right.residues.empty() &&
      std::equal(left.elements.begin(), left.elements.end(), right.elements.begin(), right.elements.end(),
                 [](const Element& a, const Element& b) { return a.unit == b.unit && a.sample == b.sample; });
  if (same_units) {
    GraphValue result = left;
    for (std::size_t i = 0; i < result.elements.size(); ++i) {
      Element& element = result.elements[i];
      element.scale = element.scale + Surd(factor) * right.elements[i].scale;
      element.shift = element.shift + Surd(factor) * right.elements[i].shift;
    }
    return simplified(view, std::move(result));
  }
  if (left.residues.size() >= most_residues || right.residues.size() >= most_residues)
    return view.opaque("adds more values to bits than are subtracted again", left.shape);
  if (may_have_residues(view, left) && right.residues.empty()) {
    GraphValue result = left;
    result.residues.push_back({right.id, Surd(factor)});
    return result;
  }
  if (may_have_residues(view, right) && left.residues.empty()) {
    GraphValue result = times(right, factor);
    result.residues.push_back({left.id, Surd(1)});
    return result;
  }
  if (left.kind == GraphValueKind::opaque) return left;
  if (right.kind == GraphValueKind::opaque) return right;
  return view.opaque("adds two values of the network, expected a constant (a residual connection?)");
}

// For additions: a value with residues may still lose them again; other values that cannot be computed with
// are refused.
ValuePointer summand(const NodeView& view, std::size_t index) {
  const ValuePointer value = view.raw(index);
  const bool plain = value->kind == GraphValueKind::opaque || !value->residues.empty();
  return plain ? value : view.input(index);
}

Values add_or_subtract(const NodeView& view, double factor) {
  const ValuePointer left = summand(view, 0), right = summand(view, 1);
  const bool left_is_constant = is_plain_constant(*left), right_is_constant = is_plain_constant(*right);
  if (left_is_constant && right_is_constant)
    return {
        constants(view, *left, *right, [&](const Surd& x, const Surd& y) { return x + Surd(factor) * y; })};
  const GraphValue& other = left_is_constant ? *right : *left;
  if ((!left_is_constant && !right_is_constant) || other.kind != GraphValueKind::affine)
    return {added(view, *left, *right, factor)};
  if (left_is_constant) return {added_constant(view, times(*right, factor), *left)};
  return {added_constant(view, *left, times(*right, factor))};
}

// For products: bits may have residues, constants may not.
ValuePointer multiplicand(const NodeView& view, std::size_t index) {
  const ValuePointer value = summand(view, index);
  return value->kind == GraphValueKind::constant ? view.input(index) : value;
}

Values add(const NodeView& view) { return add_or_subtract(view, 1); }
Values subtract(const NodeView& view) { return add_or_subtract(view, -1); }

Values multiply(const NodeView& view) {
  const ValuePointer left = multiplicand(view, 0), right = multiplicand(view, 1);
  if (left->kind == GraphValueKind::opaque) return {*left};
  if (right->kind == GraphValueKind::opaque) return {*right};
  if (left->kind == GraphValueKind::constant && right->kind == GraphValueKind::constant)
    return {constants(view, *left, *right, std::multiplies<>())};
  if (left->kind == GraphValueKind::constant) return {multiplied(view, *right, *left)};
  if (right->kind == GraphValueKind::constant) return {multiplied(view, *left, *right)};
  return {view.opaque("multiplies two values of the network")};
}

// Integer division truncates towards 0. This is computed for lengths of shapes; bits cast to integers are
// refused.
GraphValue whole_quotient(const NodeView& view, const GraphValue& left, const GraphValue& right) {
  if (left.kind != GraphValueKind::constant)
    return view.opaque("divides integers, which drops the remainder, expected floats");
  return constants(view, left, right, [](const Surd& x, const Surd& y) {
    const mpq_class quotient = (x / y).a();
    return Surd(mpq_class(mpz_class(quotient.get_num() / quotient.get_den())));
  });
}

Values divide(const NodeView& view) {
  const ValuePointer left = multiplicand(view, 0), right = multiplicand(view, 1);
  if (left->kind == GraphValueKind::opaque) return {*left};
  if (right->kind != GraphValueKind::constant) return {view.opaque("divides by a value of the network")};
  if (left->whole && right->whole) return {whole_quotient(view, *left, *right)};
  if (left->kind == GraphValueKind::constant) return {constants(view, *left, *right, std::divides<>())};
  const GraphValue inverse = constants(view, view.constant_of({}, {Surd(1)}), *right, std::divides<>());
  return {multiplied(view, *left, inverse)};
}

Values negate(const NodeView& view) {
  const ValuePointer value = view.input(0);
  if (value->kind == GraphValueKind::constant)
    return {constants(view, *value, view.constant_of({}, {Surd(-1)}), std::multiplies<>())};
  return {affine_of(*value, Surd(-1), Surd(0))};
}

// A function of constants only; for anything else it is not part of a binarized network.
template <class Function>
Values on_constants(const NodeView& view, Function function) {
  const ValuePointer value = view.raw(0);
  if (value->kind != GraphValueKind::constant)
    return {view.opaque("not an operation of a binarized network", value->shape)};
  if (!value->residues.empty()) view.fail("applied to a constant to which a value of the network was added");
  view.check_size(value->shape);
  std::vector<Surd> numbers;
  for (const Surd& number : value->numbers) numbers.push_back(function(number));
  return {view.constant_of(value->shape, std::move(numbers), value->whole)};
}

Values root(const NodeView& view) { return on_constants(view, square_root); }
Values magnitude(const NodeView& view) { return on_constants(view, absolute); }
Values reciprocal(const NodeView& view) {
  return on_constants(view, [](const Surd& x) { return Surd(1) / x; });
}

Values power(const NodeView& view) {
  const ValuePointer exponent = view.constant(1);
  if (exponent->numbers.size() != 1 || !exponent->numbers[0].is_double())
    view.fail("an exponent that is not a single number");
  const double wanted = exponent->numbers[0].as_double();
  if (wanted == 0.5) return root(view);
  if (wanted == -0.5) return on_constants(view, [](const Surd& x) { return Surd(1) / square_root(x); });
  if (wanted == -1) return reciprocal(view);
  if (wanted == 1) return {*view.input(0)};
  if (wanted == 2) return on_constants(view, [](const Surd& x) { return x * x; });
  view.fail(fmt::format("exponent {}, expected 2, 1, 0.5, -0.5 or -1", wanted));
}

Values clip(const NodeView& view) {
  std::optional<Surd> low, high;
  if (const OnnxAttribute* min = view.attribute("min"); min != nullptr && min->real) low = Surd(*min->real);
  if (const OnnxAttribute* max = view.attribute("max"); max != nullptr && max->real) high = Surd(*max->real);
  const auto bound = [&](std::size_t index) -> std::optional<Surd> {
    if (!view.has(index)) return std::nullopt;
    const ValuePointer value = view.constant(index);
    if (value->numbers.size() != 1) view.fail("a bound that is not a single number");
    return value->numbers[0];
  };
  if (const auto given = bound(1)) low = given;
  if (const auto given = bound(2)) high = given;
  return on_constants(view, [&](Surd x) {
    if (low && (x - *low).sign() < 0) x = *low;
    if (high && (x - *high).sign() > 0) x = *high;
    return x;
  });
}

// Constants only, over `axes` (all if none are given): weights are scaled by the mean of their magnitudes.
Values reduce(const NodeView& view, bool mean) {
  const ValuePointer value = view.raw(0)->kind == GraphValueKind::constant ? view.input(0) : view.raw(0);
  if (value->kind != GraphValueKind::constant)
    return {view.opaque("not an operation of a binarized network")};
  const std::size_t rank = value->shape.size();
  std::set<std::size_t> reduced;
  const auto axes = view.list("axes", 1);
  for (const std::int64_t axis : axes.value_or(std::vector<std::int64_t>{}))
    reduced.insert(view.axis(axis, rank));
  if (!axes || axes->empty())
    for (std::size_t d = 0; d < rank; ++d) reduced.insert(d);
  std::vector<std::size_t> kept_shape, shape;
  std::size_t summands = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    kept_shape.push_back(reduced.contains(d) ? 1 : value->shape[d]);
    if (reduced.contains(d)) summands *= value->shape[d];
    if (!reduced.contains(d) || view.integer("keepdims", 1) != 0) shape.push_back(kept_shape.back());
  }
  if (summands == 0) view.fail("an empty sum");
  if (mean && value->whole) view.fail("the mean of integers, which drops the remainder, expected floats");
  std::vector<std::size_t> strides = strides_of(kept_shape);
  for (const std::size_t d : reduced) strides[d] = 0;
  std::vector<Surd> sums(*element_count(kept_shape));
  auto number = value->numbers.begin();
  for_each_offset(value->shape, strides, 0, [&](std::size_t at) { sums[at] = sums[at] + *number++; });
  if (mean)
    for (Surd& sum : sums) sum = sum / Surd(static_cast<double>(summands));
  return {view.constant_of(std::move(shape), std::move(sums))};
}

Values reduce_mean(const NodeView& view) { return reduce(view, true); }
Values reduce_sum(const NodeView& view) { return reduce(view, false); }

// gamma (x - mean) / sqrt(variance + epsilon) + beta, with parameters along the second dimension.
Values batch_normalization(const NodeView& view) {
  const ValuePointer value = view.input(0);
  if (view.integer("training_mode", 0) != 0) view.fail("in training mode, expected inference mode");
  if (value->shape.empty()) view.fail("normalises a single number");
  const std::size_t axis = value->shape.size() == 1 ? 0 : 1;
  const std::size_t channels = value->shape[axis], inner = strides_of(value->shape)[axis];
  std::vector<ValuePointer> parameters;
  for (std::size_t i = 1; i <= 4; ++i) {
    parameters.push_back(view.constant(i));
    if (parameters.back()->numbers.size() != channels)
      view.fail(fmt::format("{} parameters for {} channels", parameters.back()->numbers.size(), channels));
  }
  const Surd epsilon(view.real("epsilon", 1e-5F));
  std::vector<Surd> scales, shifts;
  for (std::size_t c = 0; c < channels; ++c) {
    const Surd variance = parameters[3]->numbers[c] + epsilon;
    if (variance.sign() <= 0) view.fail(fmt::format("variance + epsilon of channel {} is not positive", c));
    scales.push_back(parameters[0]->numbers[c] / square_root(variance));
    shifts.push_back(parameters[1]->numbers[c] - scales[c] * parameters[2]->numbers[c]);
  }
  const auto per_element = [&](const std::vector<Surd>& of_channel) {
    std::vector<Surd> numbers;
    for (std::size_t i = 0; i < value->size(); ++i) numbers.push_back(of_channel[i / inner % channels]);
    return view.constant_of(value->shape, std::move(numbers));
  };
  if (value->kind == GraphValueKind::constant)
    return {constants(view, constants(view, *value, per_element(scales), std::multiplies<>()),
                      per_element(shifts), std::plus<>())};
  const GraphValue scaled =
      changed(view, *value, per_element(scales), [](Element& element, const Surd& factor) {
        element.scale = element.scale * factor;
        element.shift = element.shift * factor;
      });
  return {added_constant(view, scaled, per_element(shifts))};
}

}  // namespace

GraphValue affine_of(GraphValue value, const Surd& scale, const Surd& shift) {
  for (Element& element : value.elements) {
    element.scale = element.scale * scale;
    element.shift = element.shift * scale + shift;
  }
  return value;
}

const OperationTable& arithmetic_operations() {
  static const OperationTable table = {{"Add", add},
                                       {"Sub", subtract},
                                       {"Mul", multiply},
                                       {"Div", divide},
                                       {"Neg", negate},
                                       {"Sqrt", root},
                                       {"Abs", magnitude},
                                       {"Reciprocal", reciprocal},
                                       {"Pow", power},
                                       {"Clip", clip},
                                       {"ReduceMean", reduce_mean},
                                       {"ReduceSum", reduce_sum},
                                       {"BatchNormalization", batch_normalization}};
  return table;
}

}  // namespace bnnplan::exchange
