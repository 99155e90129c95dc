#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmpxx.h>

namespace bnnplan::exchange {

// An array of numbers from another tool's file, in C order. Every float, double, byte and integer is
// represented exactly as a double; a 64-bit integer that is not exactly a double is refused.
struct Tensor {
  std::vector<std::size_t> shape;  // empty: one number
  std::vector<double> values;
  // For an array of text such as 1/255: the exact numbers, of which `values` has the nearest doubles.
  std::vector<mpq_class> fractions = {};
  bool whole = false;      // ONNX: the type is an integer type, whose quotients are integers, too
  bool is_double = false;  // PyTorch: the numbers are 64-bit floats, and so is what is computed with them

  friend bool operator==(const Tensor&, const Tensor&) = default;
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

// Limits on the numbers of a tensor that we read and, in a graph, on its dimensions: each step through a
// tensor may cost an operation per dimension.
constexpr std::size_t tensor_limit = std::size_t{1} << 27;
constexpr std::size_t dimension_limit = 32;

// How numbers are stored in a file.
enum class ElementKind { f2, bf2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, boolean };

std::size_t element_size(ElementKind kind);  // in bytes

// The number of elements of this shape; empty if it is more than tensor_limit.
std::optional<std::size_t> element_count(const std::vector<std::size_t>& shape);

// Calls visit(offset) for every element of this shape, in C order: offset = start + the sum of index *
// stride. Backward steps are strides modulo 2^64.
template <class Visit>
void for_each_offset(const std::vector<std::size_t>& shape, const std::vector<std::size_t>& strides,
                     std::size_t start, Visit visit) {
  const std::size_t count = element_count(shape).value_or(0);
  std::vector<std::size_t> index(shape.size(), 0);
  std::size_t at = start;
  for (std::size_t i = 0; i < count; ++i) {
    visit(at);
    for (std::size_t d = shape.size(); d-- > 0;) {
      at += strides[d];
      if (++index[d] < shape[d]) break;
      at -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

// "2 x 3", "a single number"
std::string shape_text(const std::vector<std::size_t>& shape);

// bytes.size() must be a multiple of the element size. Throws InputError, with `name`, for a 64-bit integer
// that is not exactly a double.
std::vector<double> decode_elements(std::string_view bytes, ElementKind kind, bool big_endian,
                                    std::string_view name);

}  // namespace bnnplan::exchange
