#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/graph_value.hpp"
#include "exchange/import_options.hpp"
#include "exchange/onnx_file.hpp"

namespace bnnplan {

// A graph on its way to a network: which values are known, and the stages that they are made of.
struct GraphWalk {
  const OnnxGraph& graph;
  const std::string& file;
  const ImportOptions& options;
  GraphLimits limits = {};
  std::vector<Stage> stages = {};
  std::map<std::string, ValuePointer> values = {};  // a constant from its first use on
  std::size_t samples = 1;                          // the batch that the file is made for
  std::size_t next_id = 0;
  std::size_t live = 0, made = 0, products = 0;  // so far
};

// " (the file has a batch of 3)": for what would be right, or small enough, with one sample.
std::string batch_text(const GraphWalk& walk);

// The value of this name, null if there is none (yet).
ValuePointer find_value(GraphWalk& walk, const std::string& name);

constexpr std::size_t no_shape = static_cast<std::size_t>(-1);  // as the only length of a shape

// One node while it is looked at. Whatever is wrong with it is an InputError that names it.
class NodeView {
 public:
  NodeView(GraphWalk& walk, const OnnxNode& node) : walk_(walk), node_(node) {}

  GraphWalk& walk() const { return walk_; }
  const OnnxNode& node() const { return node_; }
  std::string place() const;  // "node 'Relu_3' (Relu)"
  [[noreturn]] void fail(std::string_view what) const;

  bool has(std::size_t index) const { return index < node_.inputs.size() && !node_.inputs[index].empty(); }
  // An input as it is; it may be opaque.
  ValuePointer raw(std::size_t index) const;
  // An input that can be computed with: not opaque, nothing to be taken away again, no classes, not squashed.
  ValuePointer input(std::size_t index) const;
  ValuePointer constant(std::size_t index) const;
  // Whole numbers of a constant; beyond 2^53 they are the largest ones.
  std::vector<std::int64_t> integers(std::size_t index) const;
  std::vector<std::int64_t> integers(const std::vector<double>& numbers) const;

  std::int64_t integer(const std::string& attribute, std::int64_t otherwise) const;
  double real(const std::string& attribute, double otherwise) const;
  std::string text(const std::string& attribute, const std::string& otherwise) const;
  const OnnxAttribute* attribute(const std::string& name) const;
  // A list that is an attribute in older versions of an operation and an input in newer ones; nothing if it is neither.
  std::optional<std::vector<std::int64_t>> list(const std::string& attribute, std::size_t input) const;

  // From -rank ... rank - 1 to 0 ... rank - 1.
  std::size_t axis(std::int64_t given, std::size_t rank) const;

  void check_dimensions(std::size_t rank) const;
  void check_size(const std::vector<std::size_t>& shape) const;  // may a value of this shape be made?
  // Refused where it is used, with this node's name. A shape is known of elementwise operations; without one it can also not
  // be added to anything.
  GraphValue opaque(std::string_view what, std::vector<std::size_t> shape = {no_shape}) const;
  GraphValue constant_of(std::vector<std::size_t> shape, std::vector<Surd> numbers, bool whole = false) const;

 private:
  GraphWalk& walk_;
  const OnnxNode& node_;
};

// What a node makes of its inputs; one value for each output that is used.
using Operation = std::vector<GraphValue> (*)(const NodeView&);
using OperationTable = std::map<std::string_view, Operation>;

const OperationTable& shape_operations();       // reshaping and picking
const OperationTable& arithmetic_operations();  // elementwise, and batch normalisation
const OperationTable& matrix_operations();      // products
const OperationTable& comparison_operations();  // comparisons with 0, and what is done with truth values
const OperationTable& end_operations();         // softmax, the best class
const OperationTable& foreign_operations();     // of QONNX, Brevitas and FINN

// Shared by them: a comparison of every element with 0 as a new stage of bits, -1 and +1.
GraphValue compared_with_zero(const NodeView& view, const GraphValue& value, ZeroGives at_zero);
// scale * value + shift for each element of a value that is no constant.
GraphValue affine_of(GraphValue value, const Surd& scale, const Surd& shift);

}  // namespace bnnplan
