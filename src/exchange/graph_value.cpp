// Rearranging the elements of values.
#include "bnnplan/exchange/graph_value.hpp"

#include <algorithm>

namespace bnnplan::exchange {

GraphValue rearranged(const GraphValue& value, std::vector<std::size_t> shape,
                      const std::vector<std::size_t>& from) {
  GraphValue result = value;
  result.shape = std::move(shape);
  if (value.kind == GraphValueKind::constant) {
    result.numbers.clear();
    result.numbers.reserve(from.size());
    for (const std::size_t i : from) result.numbers.push_back(value.numbers[i]);
  } else {
    result.elements.clear();
    result.elements.reserve(from.size());
    for (const std::size_t i : from) result.elements.push_back(value.elements[i]);
  }
  return result;
}

std::vector<std::size_t> strides_of(const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

std::optional<Broadcast> broadcast(const std::vector<std::size_t>& left,
                                   const std::vector<std::size_t>& right) {
  const std::size_t rank = std::max(left.size(), right.size());
  Broadcast result;
  // The steps of both sides in the common shape: 0 where a length of 1 is repeated.
  std::vector<std::size_t> left_step(rank, 0), right_step(rank, 0);
  const std::vector<std::size_t> left_strides = strides_of(left), right_strides = strides_of(right);
  for (std::size_t d = 0; d < rank; ++d) {
    const std::size_t l = d + left.size() >= rank ? left[d + left.size() - rank] : 1;
    const std::size_t r = d + right.size() >= rank ? right[d + right.size() - rank] : 1;
    if (l != r && l != 1 && r != 1) return std::nullopt;
    if (l != 1) left_step[d] = left_strides[d + left.size() - rank];
    if (r != 1) right_step[d] = right_strides[d + right.size() - rank];
    result.shape.push_back(l == 1 ? r : l);
  }
  if (!element_count(result.shape)) return std::nullopt;
  for_each_offset(result.shape, left_step, 0, [&](std::size_t at) { result.left.push_back(at); });
  for_each_offset(result.shape, right_step, 0, [&](std::size_t at) { result.right.push_back(at); });
  return result;
}

}  // namespace bnnplan::exchange
