#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/tensor.hpp"

namespace bnnplan {

// What an ONNX file says, as plain data: a graph of nodes, in an order in which they can be computed.
struct OnnxAttribute {
  std::optional<std::int64_t> integer;
  std::optional<double> real;  // a float of the file
  std::optional<std::string> text;
  std::vector<double> numbers;  // of a list of integers or floats
  bool is_list = false;
  std::optional<Tensor> tensor;
};

struct OnnxNode {
  std::string name;                          // as the file has it; may be empty
  std::string domain;                        // "" is ONNX itself
  std::string operation;                     // "MatMul"
  std::vector<std::string> inputs, outputs;  // names of values; "" is one that is left out
  std::map<std::string, OnnxAttribute> attributes;
};

struct OnnxPort {
  std::string name;
  bool whole = false;  // of a type of integers
  bool has_shape = false;
  std::vector<std::optional<std::size_t>> shape;  // nothing: a length that the file leaves open
};

struct OnnxGraph {
  std::vector<OnnxNode> nodes;
  std::map<std::string, Tensor> constants;  // initializers
  std::vector<OnnxPort> inputs, outputs;    // inputs without those that are constants
  std::int64_t version = 0;                 // of ONNX's own operators; 0 if the file does not say
  std::map<std::string, std::string> metadata;
};

// Reads a model by the official schema. Throws InputError for what is no model, too large in its structure, has numbers in
// other files (external data) or of kinds that are no numbers. 64-bit integers beyond 2^53, which stand for "the end", are
// infinite.
OnnxGraph parse_onnx(std::string_view bytes, const std::string& name);

}  // namespace bnnplan
