#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bnnplan/exchange/graph_value.hpp"
#include "bnnplan/exchange/import_options.hpp"
#include "bnnplan/exchange/onnx_file.hpp"

namespace bnnplan::exchange {

// A graph being converted to a network: the known values, and the stages they are made of.
struct GraphWalk {
  const OnnxGraph& graph;
  const std::string& file;
  const ImportOptions& options;
  GraphLimits limits = {};
  std::vector<Stage> stages = {};
  std::map<std::string, ValuePointer> values = {};  // includes constants once they are used
  std::size_t samples = 1;                          // the batch size that the file is made for
  std::size_t next_id = 0;
  std::size_t live = 0, made = 0, products = 0;  // so far
};

// " (the file has a batch of 3)": for errors that would not occur with one sample.
std::string batch_text(const GraphWalk& walk);

// The value of this name; null if there is none (yet).
ValuePointer find_value(GraphWalk& walk, const std::string& name);

constexpr std::size_t no_shape = static_cast<std::size_t>(-1);  // as the only length of a shape

// One node being processed. Anything wrong with it is an InputError that names it.
class NodeView {
 public:
  NodeView(GraphWalk& walk, const OnnxNode& node) : walk_(walk), node_(node) {}

  GraphWalk& walk() const { return walk_; }
  const OnnxNode& node() const { return node_; }
  std::string place() const;  // "node 'Relu_3' (Relu)"
  [[noreturn]] void fail(std::string_view what) const;

  bool has(std::size_t index) const { return index < node_.inputs.size() && !node_.inputs[index].empty(); }
  // An input as is; it may be opaque.
  ValuePointer raw(std::size_t index) const;
  // An input that can be computed with: not opaque, without residues, not classes, not squashed.
  ValuePointer input(std::size_t index) const;
  ValuePointer constant(std::size_t index) const;
  // The integers of a constant, clamped to +-2^53.
  std::vector<std::int64_t> integers(std::size_t index) const;
  std::vector<std::int64_t> integers(const std::vector<double>& numbers) const;

  std::int64_t integer(const std::string& attribute, std::int64_t otherwise) const;
  double real(const std::string& attribute, double otherwise) const;
  std::string text(const std::string& attribute, const std::string& otherwise) const;
  const OnnxAttribute* attribute(const std::string& name) const;
  // A list that is an attribute in older versions of an operation and an input in newer ones; empty if it is
  // neither.
  std::optional<std::vector<std::int64_t>> list(const std::string& attribute, std::size_t input) const;

  // From -rank ... rank - 1 to 0 ... rank - 1.
  std::size_t axis(std::int64_t given, std::size_t rank) const;

  void check_dimensions(std::size_t rank) const;
  void check_size(const std::vector<std::size_t>& shape) const;  // may a value of this shape be made?
  // A value that is refused where it is used, with this node's name. Elementwise operations know its shape;
  // without one it cannot be added to anything either.
  GraphValue opaque(std::string_view what, std::vector<std::size_t> shape = {no_shape}) const;
  GraphValue constant_of(std::vector<std::size_t> shape, std::vector<Surd> numbers, bool whole = false) const;

 private:
  GraphWalk& walk_;
  const OnnxNode& node_;
};

// Computes a node's outputs from its inputs; one value for each output that is used.
using Operation = std::vector<GraphValue> (*)(const NodeView&);
using OperationTable = std::map<std::string_view, Operation>;

const OperationTable& shape_operations();       // reshaping and selecting
const OperationTable& arithmetic_operations();  // elementwise, and batch normalisation
const OperationTable& matrix_operations();      // products
const OperationTable& comparison_operations();  // comparisons with 0, and operations on booleans
const OperationTable& end_operations();         // softmax, the best class
const OperationTable& foreign_operations();     // those of QONNX, Brevitas and FINN

// Used by several of them: compares every element with 0, which makes a new stage of bits, -1 and +1.
GraphValue compared_with_zero(const NodeView& view, const GraphValue& value, ZeroGives at_zero);
// scale * value + shift for each element of a non-constant value.
GraphValue affine_of(GraphValue value, const Surd& scale, const Surd& shift);

}  // namespace bnnplan::exchange
