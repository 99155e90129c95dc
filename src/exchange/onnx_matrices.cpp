// Products with a constant matrix, which produce sums: the coefficients of a sum, weight times scale, must
// have one common magnitude, which becomes its scale; what remains are weights -1, 0, +1. Two-bit weights are
// detected here.
#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/exact_number.hpp"
#include "bnnplan/exchange/onnx_operations.hpp"

namespace bnnplan::exchange {

namespace {

using Values = std::vector<GraphValue>;

std::string text_of(const Surd& number) {
  return number.is_double() ? fmt::format("{}", number.as_double()) : exact_text(number.a());
}

// Rows of a matrix times a constant matrix: element (m, n) is the sum over k of value(m, k) * weight(k, n).
struct Product {
  const GraphValue& value;
  const GraphValue& weight;
  std::size_t rows, inner, columns;
  bool value_first;  // value * weight; otherwise weight * value
  bool value_transposed, weight_transposed;

  std::size_t value_at(std::size_t row, std::size_t k) const {
    return value_first != value_transposed ? row * inner + k : k * rows + row;
  }
  std::size_t weight_at(std::size_t k, std::size_t column) const {
    return value_first != weight_transposed ? k * columns + column : column * inner + k;
  }
};

// Checks that the summed stage consists of bits; for the inputs, that they were declared to be bits.
void require_bits(const NodeView& view, std::size_t stage) {
  const Stage& below = view.walk().stages[stage];
  if (below.kind == StageKind::sums)
    view.fail(
        fmt::format("a layer reads the sums of {} directly, expected bits (a sign in between)", below.place));
  if (below.kind == StageKind::input && !view.walk().options.bits)
    view.fail(
        "the first layer reads the inputs directly, so they must be bits: specify their two values by the "
        "option 'bits', such as -1,1");
}

// One sum as weights -1, 0, +1 times a scale, plus a shift.
struct Sum {
  SumUnit unit;
  Surd scale, shift;
};

Sum sum_of(const NodeView& view, const std::vector<Surd>& coefficients, const Surd& shift,
           std::size_t column) {
  Sum sum{{}, Surd(0), shift};
  sum.unit.weights.reserve(coefficients.size());
  for (const Surd& coefficient : coefficients) {
    const int sign = coefficient.sign();
    sum.unit.weights.push_back(static_cast<std::int8_t>(sign));
    if (sign == 0) continue;
    const Surd size = sign < 0 ? -coefficient : coefficient;
    if (sum.scale.is_zero()) {
      sum.scale = size;
    } else if (!(sum.scale == size)) {
      view.fail(
          fmt::format("weights of different magnitudes, {} and {} of output {}, expected -1, 0, +1 times one "
                      "scale for each",
                      text_of(sum.scale), text_of(size), column));
    }
  }
  if (sum.scale.is_zero()) sum.scale = Surd(1);  // all weights are 0
  return sum;
}

GraphValue sums_of(const NodeView& view, const Product& product, std::vector<std::size_t> shape) {
  GraphWalk& walk = view.walk();
  require_bits(view, product.value.stage);
  const std::size_t units = walk.stages[product.value.stage].units;
  view.check_size(shape);
  Stage stage;
  stage.kind = StageKind::sums;
  stage.place = view.place();
  stage.below = product.value.stage;
  GraphValue result;
  result.kind = GraphValueKind::affine;
  result.whole = product.value.whole && product.weight.whole;
  result.shape = std::move(shape);
  result.stage = walk.stages.size();
  SharedUnits<SumUnit> shared(walk.samples);
  std::vector<Surd> coefficients(units);
  for (std::size_t row = 0; row < product.rows; ++row) {
    const std::uint32_t sample = product.value.elements[product.value_at(row, 0)].sample;
    for (std::size_t k = 1; k < product.inner; ++k)
      if (product.value.elements[product.value_at(row, k)].sample != sample)
        view.fail(fmt::format("adds up values of different samples{}", batch_text(walk)));
    for (std::size_t column = 0; column < product.columns; ++column) {
      std::fill(coefficients.begin(), coefficients.end(), Surd(0));
      Surd shift(0);
      for (std::size_t k = 0; k < product.inner; ++k) {
        const Surd& weight = product.weight.numbers[product.weight_at(k, column)];
        const Element& element = product.value.elements[product.value_at(row, k)];
        Surd& coefficient = coefficients[element.unit];
        coefficient = coefficient + weight * element.scale;
        if (!element.shift.is_zero()) shift = shift + weight * element.shift;
      }
      Sum sum = sum_of(view, coefficients, shift, column);
      result.elements.push_back(
          {shared.add(sample, std::move(sum.unit)), sample, std::move(sum.scale), std::move(sum.shift)});
      view.check_size({shared.size(), units});
    }
  }
  // weight * value gives columns x rows.
  if (!product.value_first) {
    std::vector<Element> turned;
    for (std::size_t column = 0; column < product.columns; ++column)
      for (std::size_t row = 0; row < product.rows; ++row)
        turned.push_back(result.elements[row * product.columns + column]);
    result.elements = std::move(turned);
  }
  walk.live += shared.size() * units / 16;  // one byte per weight, never freed
  stage.units = shared.size();
  stage.sums = std::move(shared).take();
  walk.stages.push_back(std::move(stage));
  return result;
}

GraphValue constant_product(const NodeView& view, const Product& product, std::vector<std::size_t> shape) {
  view.check_size(shape);
  std::vector<Surd> numbers;
  for (std::size_t row = 0; row < product.rows; ++row) {
    for (std::size_t column = 0; column < product.columns; ++column) {
      Surd sum(0);
      for (std::size_t k = 0; k < product.inner; ++k)
        sum = sum + product.value.numbers[product.value_at(row, k)] *
                        product.weight.numbers[product.weight_at(k, column)];
      numbers.push_back(sum);
    }
  }
  return view.constant_of(std::move(shape), std::move(numbers), product.value.whole && product.weight.whole);
}

// left * right, either or both transposed.
GraphValue matrix_product(const NodeView& view, const GraphValue& left, const GraphValue& right,
                          bool turn_left, bool turn_right, std::vector<std::size_t> shape, std::size_t rows,
                          std::size_t inner, std::size_t columns) {
  GraphWalk& walk = view.walk();
  if (inner == 0 || rows == 0 || columns == 0) view.fail("an empty matrix");
  const std::size_t left_over = walk.limits.products - walk.products;
  if (rows > left_over / inner || columns > left_over / (rows * inner))
    view.fail("matrices that are too large" + batch_text(walk));
  walk.products += rows * inner * columns;
  if (left.kind == GraphValueKind::constant && right.kind == GraphValueKind::constant)
    return constant_product(view, {left, right, rows, inner, columns, true, turn_left, turn_right},
                            std::move(shape));
  if (right.kind == GraphValueKind::constant)
    return sums_of(view, {left, right, rows, inner, columns, true, turn_left, turn_right}, std::move(shape));
  if (left.kind == GraphValueKind::constant)
    return sums_of(view, {right, left, columns, inner, rows, false, turn_right, turn_left}, std::move(shape));
  view.fail("multiplies two values of the network, expected a constant matrix");
}

Values matmul(const NodeView& view) {
  const ValuePointer left = view.input(0), right = view.input(1);
  std::vector<std::size_t> a = left->shape, b = right->shape;
  if (a.empty() || b.empty()) view.fail("multiplies a single number");
  const bool row_vector = a.size() == 1, column_vector = b.size() == 1;
  if (row_vector) a.insert(a.begin(), 1);
  if (column_vector) b.push_back(1);
  for (std::size_t d = 0; d + 2 < b.size(); ++d)
    if (b[d] != 1) view.fail(fmt::format("multiplies by {} matrices, expected one", b[d]));
  const std::size_t inner = a.back(), columns = b.back();
  if (b[b.size() - 2] != inner)
    view.fail(fmt::format("{} times {} does not fit", shape_text(left->shape), shape_text(right->shape)));
  std::size_t rows = 1;
  for (std::size_t d = 0; d + 1 < a.size(); ++d) rows *= a[d];
  if (left->kind == GraphValueKind::constant && right->kind != GraphValueKind::constant &&
      rows != a[a.size() - 2])
    view.fail("multiplies several matrices by a value, expected one");
  std::vector<std::size_t> shape(a.begin(), a.end() - 1);
  if (b.size() > a.size()) shape.insert(shape.begin(), b.size() - a.size(), 1);
  if (row_vector) shape.pop_back();
  if (!column_vector) shape.push_back(columns);
  return {matrix_product(view, *left, *right, false, false, std::move(shape), rows, inner, columns)};
}

// alpha * left * right + beta * third, either transposed.
Values gemm(const NodeView& view) {
  const ValuePointer left = view.input(0), right = view.input(1);
  if (left->shape.size() != 2 || right->shape.size() != 2) view.fail("expected matrices");
  const bool turn_left = view.integer("transA", 0) != 0, turn_right = view.integer("transB", 0) != 0;
  const std::size_t rows = left->shape[turn_left ? 1 : 0], inner = left->shape[turn_left ? 0 : 1];
  const std::size_t columns = right->shape[turn_right ? 0 : 1];
  if (right->shape[turn_right ? 1 : 0] != inner)
    view.fail(fmt::format("{} times {} does not fit", shape_text(left->shape), shape_text(right->shape)));
  GraphValue result =
      matrix_product(view, *left, *right, turn_left, turn_right, {rows, columns}, rows, inner, columns);
  const Surd alpha(view.real("alpha", 1)), beta(view.real("beta", 1));
  if (result.kind == GraphValueKind::constant) {
    for (Surd& number : result.numbers) number = number * alpha;
  } else {
    result = affine_of(std::move(result), alpha, Surd(0));
  }
  if (!view.has(2)) return {result};
  const ValuePointer third = view.constant(2);
  const std::optional<Broadcast> both = broadcast(result.shape, third->shape);
  if (!both || both->shape != result.shape)
    view.fail(fmt::format("a bias of {} does not fit", shape_text(third->shape)));
  for (std::size_t i = 0; i < result.size(); ++i) {
    Surd& place = result.kind == GraphValueKind::constant ? result.numbers[i] : result.elements[i].shift;
    place = place + beta * third->numbers[both->right[i]];
  }
  return {result};
}

}  // namespace

const OperationTable& matrix_operations() {
  static const OperationTable table = {{"MatMul", matmul}, {"Gemm", gemm}};
  return table;
}

}  // namespace bnnplan::exchange
