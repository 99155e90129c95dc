#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/exchange/tensor.hpp"

namespace bnnplan::exchange {

// The content of an ONNX file as plain data: a graph of nodes, in an order in which they can be computed.
struct OnnxAttribute {
  std::optional<std::int64_t> integer;
  std::optional<double> real;  // a float of the file
  std::optional<std::string> text;
  std::vector<double> numbers;  // of a list of integers or floats
  bool is_list = false;
  std::optional<Tensor> tensor;
};

struct OnnxNode {
  std::string name;                          // as in the file; may be empty
  std::string domain;                        // "" is ONNX itself
  std::string operation;                     // "MatMul"
  std::vector<std::string> inputs, outputs;  // names of values; "" is an omitted one
  std::map<std::string, OnnxAttribute> attributes;
};

struct OnnxPort {
  std::string name;
  bool whole = false;  // has an integer type
  bool has_shape = false;
  std::vector<std::optional<std::size_t>> shape;  // empty: a length that the file leaves open
};

struct OnnxGraph {
  std::vector<OnnxNode> nodes;
  std::map<std::string, Tensor> constants;  // initializers
  std::vector<OnnxPort> inputs, outputs;    // inputs without those that are constants
  std::int64_t version = 0;                 // of ONNX's own operators; 0 if the file does not say
  std::map<std::string, std::string> metadata;
};

// Reads a model by the official schema. Throws InputError if it is not a model, if its structure is too
// large, or if tensors are stored in other files (external data) or are not numeric. 64-bit integers beyond
// 2^53, which stand for "the end", become infinite.
OnnxGraph parse_onnx(std::string_view bytes, const std::string& name);

}  // namespace bnnplan::exchange
