// Operations that move numbers without computing: they are the same for constants and for values of the
// network. Lengths of shapes are constants as well, so the nodes that exporters write to determine a shape
// (Shape, Gather, Concat) are computed here, for a single sample.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "bnnplan/exchange/onnx_operations.hpp"

namespace bnnplan::exchange {

namespace {

using Values = std::vector<GraphValue>;
using Shape = std::vector<std::size_t>;

// Values that may be reshaped: also classes and the output of softmax.
ValuePointer movable(const NodeView& view, std::size_t index) {
  ValuePointer value = view.raw(index);
  if (value->kind == GraphValueKind::classes || value->is_squashed) return value;
  return view.input(index);
}

GraphValue reshaped(const NodeView& view, const GraphValue& value, Shape shape) {
  GraphValue result = value;
  if (value.kind != GraphValueKind::classes && element_count(shape) != value.size())
    view.fail(fmt::format("makes {} from {}{}", shape_text(shape), shape_text(value.shape),
                          batch_text(view.walk())));
  result.shape = std::move(shape);
  return result;
}

// Element i of the result is element from[i].
GraphValue picked(const NodeView& view, const GraphValue& value, Shape shape,
                  const std::vector<std::size_t>& from) {
  view.check_size(shape);
  if (value.kind == GraphValueKind::classes) view.fail("takes a class apart");
  return rearranged(value, std::move(shape), from);
}

Values identity(const NodeView& view) { return {*view.raw(0)}; }

// A trained network drops nothing, unless the graph asks for training mode.
Values dropout(const NodeView& view) {
  if (view.has(2) && !view.constant(2)->numbers.empty() && !view.constant(2)->numbers[0].is_zero())
    view.fail("in training mode, expected inference mode");
  return identity(view);
}

Values reshape(const NodeView& view) {
  const ValuePointer value = movable(view, 0);
  const std::optional<std::vector<std::int64_t>> wanted = view.list("shape", 1);
  if (!wanted) view.fail("no shape");
  view.check_dimensions(wanted->size());
  if (value->kind == GraphValueKind::classes) return {*value};
  Shape shape;
  std::optional<std::size_t> open;
  for (std::size_t d = 0; d < wanted->size(); ++d) {
    std::int64_t length = (*wanted)[d];
    if (length == 0 && view.integer("allowzero", 0) == 0) {
      if (d >= value->shape.size()) view.fail("copies a missing length");
      length = static_cast<std::int64_t>(value->shape[d]);
    }
    if (length < -1 || (length == -1 && open)) view.fail("an invalid shape");
    if (length == -1) open = d;
    shape.push_back(length == -1 ? 1 : static_cast<std::size_t>(length));
    if (!element_count(shape)) view.fail("a shape that is too large");
  }
  const std::size_t known = *element_count(shape);
  if (open && known != 0) {
    if (value->size() % known != 0)
      view.fail(fmt::format("makes {} from {}{}", fmt::join(*wanted, " x "), shape_text(value->shape),
                            batch_text(view.walk())));
    shape[*open] = value->size() / known;
  }
  return {reshaped(view, *value, std::move(shape))};
}

Values flatten(const NodeView& view) {
  const ValuePointer value = movable(view, 0);
  if (value->kind == GraphValueKind::classes) return {*value};
  const std::int64_t given = view.integer("axis", 1);
  const auto rank = static_cast<std::int64_t>(value->shape.size());
  if (given < -rank || given > rank)
    view.fail(fmt::format("axis {} of a value of {} dimensions", given, rank));
  const auto cut = static_cast<std::ptrdiff_t>(given < 0 ? given + rank : given);
  const auto product = [](auto from, auto to) {
    return std::accumulate(from, to, std::size_t{1}, std::multiplies<>());
  };
  const Shape& shape = value->shape;
  return {reshaped(view, *value,
                   {product(shape.begin(), shape.begin() + cut), product(shape.begin() + cut, shape.end())})};
}

Values squeeze(const NodeView& view) {
  const ValuePointer value = movable(view, 0);
  if (value->kind == GraphValueKind::classes) return {*value};
  std::set<std::size_t> removed;
  if (const auto axes = view.list("axes", 1)) {
    for (const std::int64_t axis : *axes) removed.insert(view.axis(axis, value->shape.size()));
  } else {
    for (std::size_t d = 0; d < value->shape.size(); ++d)
      if (value->shape[d] == 1) removed.insert(d);
  }
  Shape shape;
  for (std::size_t d = 0; d < value->shape.size(); ++d) {
    if (!removed.contains(d)) {
      shape.push_back(value->shape[d]);
    } else if (value->shape[d] != 1) {
      view.fail(fmt::format("removes a dimension of length {}", value->shape[d]));
    }
  }
  return {reshaped(view, *value, std::move(shape))};
}

Values unsqueeze(const NodeView& view) {
  const ValuePointer value = movable(view, 0);
  const auto axes = view.list("axes", 1);
  if (!axes) view.fail("no axes");
  if (value->kind == GraphValueKind::classes) return {*value};
  const std::size_t rank = value->shape.size() + axes->size();
  view.check_dimensions(rank);
  std::set<std::size_t> added;
  for (const std::int64_t axis : *axes) added.insert(view.axis(axis, rank));
  if (added.size() != axes->size()) view.fail("the same axis twice");
  Shape shape;
  auto next = value->shape.begin();
  for (std::size_t d = 0; d < rank; ++d) shape.push_back(added.contains(d) ? 1 : *next++);
  return {reshaped(view, *value, std::move(shape))};
}

// The same for elements at regular distances.
GraphValue picked(const NodeView& view, const GraphValue& value, Shape shape,
                  const std::vector<std::size_t>& strides, std::size_t start) {
  view.check_size(shape);
  std::vector<std::size_t> from;
  for_each_offset(shape, strides, start, [&](std::size_t at) { from.push_back(at); });
  return picked(view, value, std::move(shape), from);
}

Values transpose(const NodeView& view) {
  const ValuePointer value = movable(view, 0);
  const std::size_t rank = value->shape.size();
  std::vector<std::size_t> order(rank);
  for (std::size_t d = 0; d < rank; ++d) order[d] = rank - 1 - d;
  if (const auto given = view.list("perm", 1)) {
    if (given->size() != rank) view.fail("an order of axes that does not fit");
    for (std::size_t d = 0; d < rank; ++d) order[d] = view.axis((*given)[d], rank);
    if (std::set<std::size_t>(order.begin(), order.end()).size() != rank) view.fail("the same axis twice");
  }
  const std::vector<std::size_t> strides = strides_of(value->shape);
  Shape shape, turned;
  for (const std::size_t d : order) {
    shape.push_back(value->shape[d]);
    turned.push_back(strides[d]);
  }
  return {picked(view, *value, shape, turned, 0)};
}

// An input whose shape is known, whatever else it is.
ValuePointer shaped(const NodeView& view) {
  ValuePointer value = view.raw(0);
  const bool unknown = value->kind == GraphValueKind::opaque && !element_count(value->shape);
  return unknown ? view.input(0) : value;
}

Values shape_of(const NodeView& view) {
  const ValuePointer value = shaped(view);
  std::vector<Surd> lengths;
  for (const std::size_t length : value->shape) lengths.emplace_back(static_cast<double>(length));
  const std::size_t count = lengths.size();
  if (view.attribute("start") != nullptr || view.attribute("end") != nullptr) view.fail("a part of a shape");
  return {view.constant_of({count}, std::move(lengths), true)};
}

Values size_of(const NodeView& view) {
  const std::size_t count = element_count(shaped(view)->shape).value_or(0);
  return {view.constant_of({}, {Surd(static_cast<double>(count))}, true)};
}

Values gather(const NodeView& view) {
  const ValuePointer value = view.input(0), index = view.constant(1);
  const std::size_t axis = view.axis(view.integer("axis", 0), value->shape.size());
  std::vector<std::size_t> places;
  for (const std::int64_t place : view.integers(1)) places.push_back(view.axis(place, value->shape[axis]));
  Shape shape(value->shape.begin(), value->shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), index->shape.begin(), index->shape.end());
  shape.insert(shape.end(), value->shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, value->shape.end());
  view.check_size(shape);
  const std::size_t inner = strides_of(value->shape)[axis], length = value->shape[axis];
  const std::size_t outer = value->size() == 0 ? 0 : value->size() / (inner * length);
  std::vector<std::size_t> from;
  for (std::size_t o = 0; o < outer; ++o)
    for (const std::size_t place : places)
      for (std::size_t i = 0; i < inner; ++i) from.push_back((o * length + place) * inner + i);
  return {picked(view, *value, std::move(shape), from)};
}

Values slice(const NodeView& view) {
  const ValuePointer value = view.input(0);
  const auto starts = view.list("starts", 1), ends = view.list("ends", 2), axes = view.list("axes", 3),
             steps = view.list("steps", 4);
  if (!starts || !ends || starts->size() != ends->size() || (axes && axes->size() != starts->size()) ||
      (steps && steps->size() != starts->size()))
    view.fail("starts, ends, axes and steps that do not fit");
  const std::size_t rank = value->shape.size();
  Shape shape = value->shape;
  std::vector<std::int64_t> first(rank, 0), step(rank, 1);
  for (std::size_t i = 0; i < starts->size(); ++i) {
    const std::size_t d = view.axis(axes ? (*axes)[i] : static_cast<std::int64_t>(i), rank);
    const auto length = static_cast<std::int64_t>(value->shape[d]);
    step[d] = steps ? (*steps)[i] : 1;
    if (step[d] == 0) view.fail("a step of 0");
    const auto placed = [&](std::int64_t at) { return at < 0 ? at + length : at; };
    const std::int64_t low = step[d] > 0 ? 0 : -1, high = step[d] > 0 ? length : length - 1;
    first[d] = std::clamp(placed((*starts)[i]), std::int64_t{0}, std::max<std::int64_t>(high, 0));
    const std::int64_t end = std::clamp(placed((*ends)[i]), low, std::max(high, low));
    const std::int64_t span = step[d] > 0 ? end - first[d] : first[d] - end;
    const std::int64_t stride = std::abs(step[d]);
    shape[d] = span <= 0 || length == 0 ? 0 : static_cast<std::size_t>((span - 1) / stride + 1);
  }
  std::vector<std::size_t> strides = strides_of(value->shape);
  std::size_t start = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    start += static_cast<std::size_t>(first[d]) * strides[d];
    strides[d] *= static_cast<std::size_t>(step[d]);
  }
  return {picked(view, *value, shape, strides, start)};
}

Values concat(const NodeView& view) {
  std::vector<ValuePointer> parts;
  for (std::size_t i = 0; i < view.node().inputs.size(); ++i) parts.push_back(view.input(i));
  if (parts.empty()) view.fail("nothing to concatenate");
  const GraphValue& first = *parts[0];
  const std::size_t axis = view.axis(view.integer("axis", 0), first.shape.size());
  Shape shape = first.shape;
  shape[axis] = 0;
  for (const ValuePointer& part : parts) {
    Shape other = part->shape;
    if (part->kind != first.kind || part->stage != first.stage)
      view.fail("concatenates values of different layers");
    if (other.size() != shape.size()) view.fail("concatenates shapes that do not fit");
    const std::size_t length = other[axis];
    other[axis] = first.shape[axis];
    if (other != first.shape) view.fail("concatenates shapes that do not fit");
    shape[axis] += length;
    view.check_size(shape);
  }
  GraphValue result = first;
  result.shape = shape;
  result.numbers.clear();
  result.elements.clear();
  const std::size_t inner = strides_of(shape)[axis];
  std::size_t outer = 1;
  for (std::size_t d = 0; d < axis; ++d) outer *= shape[d];
  for (std::size_t o = 0; o < outer; ++o) {
    for (const ValuePointer& part : parts) {
      const std::size_t block = part->shape[axis] * inner;
      for (std::size_t i = o * block; i < (o + 1) * block; ++i) {
        if (first.kind == GraphValueKind::constant) {
          result.numbers.push_back(part->numbers[i]);
        } else {
          result.elements.push_back(part->elements[i]);
        }
      }
    }
  }
  return {std::move(result)};
}

Values expand(const NodeView& view) {
  const ValuePointer value = view.input(0);
  Shape wanted;
  for (const std::int64_t length : view.integers(1)) {
    if (length < 0) view.fail("a negative length");
    wanted.push_back(static_cast<std::size_t>(length));
  }
  view.check_size(wanted);
  const std::optional<Broadcast> both = broadcast(value->shape, wanted);
  if (!both) view.fail(fmt::format("{} does not fit into {}", shape_text(value->shape), shape_text(wanted)));
  return {picked(view, *value, both->shape, both->left)};
}

Values constant(const NodeView& view) {
  for (const char* name : {"value", "value_float", "value_int", "value_floats", "value_ints"}) {
    const OnnxAttribute* found = view.attribute(name);
    if (found == nullptr) continue;
    Tensor tensor;
    if (found->tensor) {
      tensor = *found->tensor;
    } else if (found->is_list) {
      tensor = {{found->numbers.size()}, found->numbers, {}, std::string_view(name) == "value_ints"};
    } else if (found->real || found->integer) {
      tensor.values = {found->real ? *found->real : static_cast<double>(*found->integer)};
      tensor.whole = !found->real;
    } else {
      break;
    }
    view.check_size(tensor.shape);
    return {view.constant_of(tensor.shape, {tensor.values.begin(), tensor.values.end()}, tensor.whole)};
  }
  view.fail("a constant that is not a number");
}

Values constant_of_shape(const NodeView& view) {
  Shape shape;
  for (const std::int64_t length : view.integers(0)) {
    if (length < 0) view.fail("a negative length");
    shape.push_back(static_cast<std::size_t>(length));
  }
  view.check_size(shape);
  double number = 0;
  bool whole = false;
  if (const OnnxAttribute* value = view.attribute("value")) {
    if (!value->tensor || value->tensor->values.size() != 1) view.fail("a value that is not a single number");
    number = value->tensor->values[0];
    whole = value->tensor->whole;
  }
  return {view.constant_of(shape, std::vector<Surd>(*element_count(shape), Surd(number)), whole)};
}

}  // namespace

const OperationTable& shape_operations() {
  static const OperationTable table = {
      {"Identity", identity},   {"Dropout", dropout},   {"Reshape", reshape},
      {"Flatten", flatten},     {"Squeeze", squeeze},   {"Unsqueeze", unsqueeze},
      {"Transpose", transpose}, {"Shape", shape_of},    {"Size", size_of},
      {"Gather", gather},       {"Slice", slice},       {"Concat", concat},
      {"Expand", expand},       {"Constant", constant}, {"ConstantOfShape", constant_of_shape}};
  return table;
}

}  // namespace bnnplan::exchange
