// Access to one node: its inputs in the form an operation needs, its attributes, and errors that name it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/onnx_operations.hpp"

namespace bnnplan::exchange {

std::string batch_text(const GraphWalk& walk) {
  return walk.samples == 1 ? "" : fmt::format(" (the file has a batch of {})", walk.samples);
}

ValuePointer find_value(GraphWalk& walk, const std::string& name) {
  if (const auto found = walk.values.find(name); found != walk.values.end()) return found->second;
  const auto constant = walk.graph.constants.find(name);
  if (constant == walk.graph.constants.end()) return nullptr;
  const Tensor& tensor = constant->second;
  if (tensor.values.size() > walk.limits.at_a_time - std::min(walk.live, walk.limits.at_a_time))
    throw InputError(walk.file, fmt::format("constant '{}': more than {} numbers at a time",
                                            printable(name, 80), walk.limits.at_a_time));
  auto value = std::make_shared<GraphValue>();
  value->id = ++walk.next_id;
  value->shape = tensor.shape;
  value->whole = tensor.whole;
  value->numbers.assign(tensor.values.begin(), tensor.values.end());
  walk.live += tensor.values.size();
  walk.made += tensor.values.size();
  return walk.values[name] = std::move(value);
}

std::string NodeView::place() const {
  const std::string& name = !node_.name.empty() || node_.outputs.empty() ? node_.name : node_.outputs[0];
  return fmt::format("node '{}' ({})", printable(name, 80), printable(node_.operation, 40));
}

void NodeView::fail(std::string_view what) const {
  throw InputError(walk_.file, fmt::format("{}: {}", place(), what));
}

ValuePointer NodeView::raw(std::size_t index) const {
  if (!has(index)) fail(fmt::format("input {} is missing", index + 1));
  ValuePointer value = find_value(walk_, node_.inputs[index]);
  if (!value)
    fail(fmt::format("its input '{}' is made by no node before it", printable(node_.inputs[index], 80)));
  return value;
}

ValuePointer NodeView::input(std::size_t index) const {
  ValuePointer value = raw(index);
  if (value->kind == GraphValueKind::opaque) throw InputError(walk_.file, value->why);
  if (!value->residues.empty())
    fail("reads bits to which another value was added that is never subtracted again");
  if (value->kind == GraphValueKind::classes) fail("computes with a class, expected that only at the end");
  if (value->is_squashed) fail("computes with the output of Softmax, expected that only at the end");
  return value;
}

ValuePointer NodeView::constant(std::size_t index) const {
  ValuePointer value = input(index);
  if (value->kind != GraphValueKind::constant)
    fail(fmt::format("its input '{}' is not constant", printable(node_.inputs[index], 80)));
  return value;
}

std::vector<std::int64_t> NodeView::integers(const std::vector<double>& numbers) const {
  std::vector<std::int64_t> result;
  for (const double number : numbers) {
    if (std::isnan(number) || (std::isfinite(number) && std::trunc(number) != number))
      fail("a length that is not an integer");
    result.push_back(static_cast<std::int64_t>(std::clamp(number, -0x1p53, 0x1p53)));
  }
  return result;
}

std::vector<std::int64_t> NodeView::integers(std::size_t index) const {
  std::vector<double> numbers;
  for (const Surd& number : constant(index)->numbers) {
    if (!number.is_double()) fail("a length that is not an integer");
    numbers.push_back(number.as_double());
  }
  return integers(numbers);
}

const OnnxAttribute* NodeView::attribute(const std::string& name) const {
  const auto found = node_.attributes.find(name);
  return found == node_.attributes.end() ? nullptr : &found->second;
}

std::int64_t NodeView::integer(const std::string& name, std::int64_t otherwise) const {
  const OnnxAttribute* found = attribute(name);
  if (found == nullptr) return otherwise;
  if (!found->integer) fail(fmt::format("its attribute '{}' is not an integer", name));
  return *found->integer;
}

double NodeView::real(const std::string& name, double otherwise) const {
  const OnnxAttribute* found = attribute(name);
  if (found == nullptr) return otherwise;
  if (!found->real || !std::isfinite(*found->real))
    fail(fmt::format("its attribute '{}' is not a number", name));
  return *found->real;
}

std::string NodeView::text(const std::string& name, const std::string& otherwise) const {
  const OnnxAttribute* found = attribute(name);
  if (found == nullptr) return otherwise;
  if (!found->text) fail(fmt::format("its attribute '{}' is not text", name));
  return *found->text;
}

std::optional<std::vector<std::int64_t>> NodeView::list(const std::string& name, std::size_t index) const {
  if (const OnnxAttribute* found = attribute(name)) {
    if (!found->is_list) fail(fmt::format("its attribute '{}' is not a list", name));
    return integers(found->numbers);
  }
  if (has(index)) return integers(index);
  return std::nullopt;
}

std::size_t NodeView::axis(std::int64_t given, std::size_t rank) const {
  const auto bound = static_cast<std::int64_t>(rank);
  if (given < -bound || given >= bound) fail(fmt::format("axis {} of a value of {} dimensions", given, rank));
  return static_cast<std::size_t>(given < 0 ? given + bound : given);
}

void NodeView::check_dimensions(std::size_t rank) const {
  if (rank > dimension_limit)
    fail(fmt::format("a value of {} dimensions, expected at most {}", rank, dimension_limit));
}

void NodeView::check_size(const std::vector<std::size_t>& shape) const {
  const GraphLimits& limits = walk_.limits;
  check_dimensions(shape.size());
  const std::optional<std::size_t> count = element_count(shape);
  if (!count || *count > limits.at_a_time || walk_.live > limits.at_a_time - *count)
    fail(fmt::format("a value of {}: more than {} numbers at a time{}", shape_text(shape), limits.at_a_time,
                     batch_text(walk_)));
  if (walk_.made > limits.in_all - *count)
    fail(fmt::format("a value of {}: more than {} numbers in all{}", shape_text(shape), limits.in_all,
                     batch_text(walk_)));
}

GraphValue NodeView::opaque(std::string_view what, std::vector<std::size_t> shape) const {
  GraphValue value;
  value.shape = std::move(shape);
  value.kind = GraphValueKind::opaque;
  value.why = fmt::format("{}: {}", place(), what);
  return value;
}

GraphValue NodeView::constant_of(std::vector<std::size_t> shape, std::vector<Surd> numbers,
                                 bool whole) const {
  GraphValue value;
  value.whole = whole;
  value.shape = std::move(shape);
  value.numbers = std::move(numbers);
  return value;
}

}  // namespace bnnplan::exchange
