// The final operations of classifiers: Softmax, and the class with the best score.
#include <utility>

#include <fmt/format.h>

#include "bnnplan/exchange/onnx_operations.hpp"

namespace bnnplan::exchange {

namespace {

using Values = std::vector<GraphValue>;

// Is each run of `length` elements, `apart` from each other, everything of one sample?
bool is_all_of_a_sample(const NodeView& view, const GraphValue& value, std::size_t length,
                        std::size_t apart) {
  if (length * view.walk().samples != value.size()) return false;
  for (std::size_t i = 0; i < value.size(); ++i)
    if (value.elements[i].sample != value.elements[i - i / apart % length * apart].sample) return false;
  return true;
}

// Only at the end of a graph: the order of the scores is preserved, and nothing else counts.
Values softmax(const NodeView& view) {
  GraphValue value = *view.input(0);
  if (value.kind != GraphValueKind::affine) return {view.opaque("applied to a constant")};
  const std::size_t axis =
      view.axis(view.integer("axis", view.walk().graph.version >= 13 ? -1 : 1), value.shape.size());
  std::size_t length = value.shape[axis], apart = strides_of(value.shape)[axis];
  if (view.walk().graph.version < 13)
    length *= std::exchange(apart, 1);  // older versions normalise over all following dimensions
  if (!is_all_of_a_sample(view, value, length, apart))
    view.fail("applied to a part of the scores" + batch_text(view.walk()));
  value.is_squashed = true;
  return {value};
}

GraphValue classes_of(const NodeView& view, std::int64_t axis, ClassTie tie) {
  GraphValue value = *view.raw(0);
  if (!value.is_squashed) value = *view.input(0);
  if (value.kind != GraphValueKind::affine) view.fail("the maximum of constants");
  const std::size_t place = view.axis(axis, value.shape.size());
  if (!is_all_of_a_sample(view, value, value.shape[place], strides_of(value.shape)[place]))
    view.fail("the maximum of a part of the scores" + batch_text(view.walk()));
  value.kind = GraphValueKind::classes;
  value.tie = tie;
  return value;
}

Values arg_max(const NodeView& view) {
  const bool last = view.integer("select_last_index", 0) != 0;
  return {classes_of(view, view.integer("axis", 0), last ? ClassTie::highest : ClassTie::lowest)};
}

Values top_k(const NodeView& view) {
  const std::optional<std::vector<std::int64_t>> count =
      view.attribute("k") != nullptr ? std::vector<std::int64_t>{view.integer("k", 1)} : view.list("", 1);
  if (!count || count->size() != 1 || (*count)[0] != 1)
    view.fail("returns more than the best class, expected one");
  if (view.integer("largest", 1) == 0) view.fail("the smallest score, expected the largest");
  GraphValue classes = classes_of(view, view.integer("axis", -1), ClassTie::lowest);
  return {view.opaque("the best score, expected the best class"), classes};
}

}  // namespace

const OperationTable& end_operations() {
  static const OperationTable table = {
      {"Softmax", softmax}, {"LogSoftmax", softmax}, {"ArgMax", arg_max}, {"TopK", top_k}};
  return table;
}

}  // namespace bnnplan::exchange
