#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/exchange/tensor.hpp"

namespace bnnplan::exchange {

// An array as numpy.save writes it: numbers, or text (dtypes U and S); the shape is kept in both cases.
struct NpyArray {
  Tensor tensor;                   // its shape, and its numbers unless it is text
  std::vector<std::string> texts;  // UTF-8
  bool is_text = false;
  ElementKind kind = ElementKind::f8;  // of its numbers
};

struct NamedArray {
  std::string name;  // without .npy
  NpyArray array;
};

// `name` stands for the bytes in InputErrors. Supports versions 1 to 3, both byte orders, C and Fortran order
// (the result is in C order), dtypes f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1, and U and S for text.
NpyArray parse_npy(std::string_view bytes, const std::string& name);

// All arrays of an archive written by numpy.savez or numpy.savez_compressed, in archive order.
std::vector<NamedArray> parse_npz(std::string_view bytes, const std::string& name);

}  // namespace bnnplan::exchange
