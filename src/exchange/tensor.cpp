// Bytes of a file as numbers. All kinds are widened to double, which represents each of them exactly except
// large 64-bit integers; half floats and bfloat16 are assembled from their bits.
#include "bnnplan/exchange/tensor.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::exchange {

namespace {

double half_float(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  const double sign = (bits >> 15) != 0 ? -1 : 1;
  if (exponent == 31) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

double float_of(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

template <class Integer>
double integer_of(std::uint64_t bits) {
  return static_cast<double>(static_cast<Integer>(bits));
}

double decoded(std::uint64_t bits, ElementKind kind) {
  switch (kind) {
    case ElementKind::f2:
      return half_float(bits);
    case ElementKind::bf2:
      return float_of(bits << 16);
    case ElementKind::f4:
      return float_of(bits);
    case ElementKind::f8:
      return std::bit_cast<double>(bits);
    case ElementKind::i1:
      return integer_of<std::int8_t>(bits);
    case ElementKind::i2:
      return integer_of<std::int16_t>(bits);
    case ElementKind::i4:
      return integer_of<std::int32_t>(bits);
    case ElementKind::i8:
      return integer_of<std::int64_t>(bits);
    case ElementKind::u1:
    case ElementKind::u2:
    case ElementKind::u4:
    case ElementKind::u8:
      return integer_of<std::uint64_t>(bits);
    case ElementKind::boolean:
      return bits != 0 ? 1 : 0;
  }
  return 0;
}

// For 64-bit integers: does `value` equal the integer in the bits?
bool exact(std::uint64_t bits, ElementKind kind, double value) {
  if (kind == ElementKind::i8)
    return std::abs(value) < 0x1p63 && static_cast<std::int64_t>(value) == static_cast<std::int64_t>(bits);
  if (kind == ElementKind::u8) return value < 0x1p64 && static_cast<std::uint64_t>(value) == bits;
  return true;
}

}  // namespace

std::size_t element_size(ElementKind kind) {
  switch (kind) {
    case ElementKind::f2:
    case ElementKind::bf2:
    case ElementKind::i2:
    case ElementKind::u2:
      return 2;
    case ElementKind::f4:
    case ElementKind::i4:
    case ElementKind::u4:
      return 4;
    case ElementKind::f8:
    case ElementKind::i8:
    case ElementKind::u8:
      return 8;
    case ElementKind::i1:
    case ElementKind::u1:
    case ElementKind::boolean:
      return 1;
  }
  return 1;
}

std::optional<std::size_t> element_count(const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  for (const std::size_t length : shape) {
    if (length == 0) return 0;
    if (length > tensor_limit || count > tensor_limit / length) return std::nullopt;
    count *= length;
  }
  return count;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  if (shape.empty()) return "a single number";
  return fmt::format("{}", fmt::join(shape, " x "));
}

std::vector<double> decode_elements(std::string_view bytes, ElementKind kind, bool big_endian,
                                    std::string_view name) {
  const std::size_t size = element_size(kind);
  std::vector<double> values(bytes.size() / size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const auto byte = static_cast<unsigned char>(bytes[i * size + (big_endian ? size - 1 - k : k)]);
      bits |= std::uint64_t{byte} << (8 * k);
    }
    values[i] = decoded(bits, kind);
    if (!exact(bits, kind, values[i]))
      throw InputError(name, fmt::format("the 64-bit integer at position {} is too large for a double", i));
  }
  return values;
}

}  // namespace bnnplan::exchange
