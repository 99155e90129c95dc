// Operators that are not ONNX's own: those of QONNX, Brevitas and FINN, which are the same under three
// domains.
#include <cmath>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"
#include "bnnplan/exchange/onnx_operations.hpp"

namespace bnnplan::exchange {

namespace {

using Values = std::vector<GraphValue>;

// +scale where x >= 0, -scale elsewhere.
Values bipolar_quant(const NodeView& view) {
  const ValuePointer value = view.input(0), scale = view.constant(1);
  const std::optional<Broadcast> both = broadcast(value->shape, scale->shape);
  if (!both || both->shape != value->shape)
    view.fail(
        fmt::format("a scale of {} does not fit {}", shape_text(scale->shape), shape_text(value->shape)));
  view.check_size(value->shape);
  if (value->kind == GraphValueKind::constant) {
    std::vector<Surd> numbers;
    for (std::size_t i = 0; i < value->numbers.size(); ++i) {
      const Surd& size = scale->numbers[both->right[i]];
      numbers.push_back(value->numbers[i].sign() >= 0 ? size : -size);
    }
    return {view.constant_of(value->shape, std::move(numbers))};
  }
  GraphValue bits = compared_with_zero(view, *value, ZeroGives::one);
  for (std::size_t i = 0; i < bits.elements.size(); ++i)
    bits.elements[i].scale = scale->numbers[both->right[i]];
  return {bits};
}

// out_bias + out_scale * (the number of its channel's thresholds that x reaches).
Values multi_threshold(const NodeView& view) {
  const ValuePointer value = view.input(0), thresholds = view.constant(1);
  if (thresholds->shape.size() != 2 || thresholds->numbers.empty())
    view.fail("thresholds that are not a matrix");
  if (thresholds->shape[1] != 1)
    view.fail(fmt::format("{} thresholds for each channel, so {} different values, expected bits",
                          thresholds->shape[1], thresholds->shape[1] + 1));
  if (value->kind == GraphValueKind::constant) view.fail("applied to constants");
  const std::size_t rank = value->shape.size();
  if (rank == 0) view.fail("applied to a single number");
  const bool channels_last = view.text("data_layout", "NCHW") == "NHWC" || (rank != 2 && rank != 4);
  const std::size_t axis = channels_last ? rank - 1 : 1;
  const std::size_t channels = value->shape[axis], inner = strides_of(value->shape)[axis];
  if (thresholds->shape[0] != 1 && thresholds->shape[0] != channels)
    view.fail(fmt::format("thresholds for {} channels, expected {}", thresholds->shape[0], channels));
  GraphValue difference = *value;
  for (std::size_t i = 0; i < difference.elements.size(); ++i) {
    const std::size_t channel = thresholds->shape[0] == 1 ? 0 : i / inner % channels;
    difference.elements[i].shift = difference.elements[i].shift - thresholds->numbers[channel];
  }
  const GraphValue bits = compared_with_zero(view, difference, ZeroGives::one);
  const Surd half = Surd(view.real("out_scale", 1)) * Surd(0.5);
  return {affine_of(bits, half, half + Surd(view.real("out_bias", 0)))};
}

Values quant(const NodeView& view) {
  const ValuePointer bits = view.constant(3);
  if (bits->numbers.size() == 1 && bits->numbers[0].is_double())
    view.fail(fmt::format("{}-bit numbers, expected single bits (BipolarQuant): not a binarized network",
                          bits->numbers[0].as_double()));
  view.fail("numbers of several bits, expected single bits (BipolarQuant): not a binarized network");
}

}  // namespace

const OperationTable& foreign_operations() {
  static const OperationTable table = {{"BipolarQuant", bipolar_quant},
                                       {"MultiThreshold", multi_threshold},
                                       {"Quant", quant},
                                       {"IntQuant", quant}};
  return table;
}

}  // namespace bnnplan::exchange
