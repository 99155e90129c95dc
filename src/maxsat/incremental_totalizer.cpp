// The incremental totalizer (Bailleux and Boufkhad 2003; Martins, Joshi, Manquinho and Lynce 2014).
//
// A balanced tree over the inputs; a node has outputs o_1, o_2, ... where o_k is true if at least k inputs
// below it are:
//   l_i and r_j -> o_(i+j)     (l_0 and r_0 are true and omitted): one position of a merge, encode/merge.cpp
//   o_(k+1) -> o_k
// Only this direction: the outputs are only ever assumed false. An output o_k needs just the outputs up to k
// of the children, so asking for one more adds at most n (k + 1) clauses and changes none that exist. Cores
// of hundreds of literals are common and are rarely counted beyond 3, so the other outputs are never encoded:
// the full totalizer of 500 inputs has 130,000 clauses, up to o_2 it has 2,500.
#include "bnnplan/maxsat/incremental_totalizer.hpp"

#include <algorithm>
#include <cassert>

#include "bnnplan/encode/merge.hpp"

namespace bnnplan::maxsat {

IncrementalTotalizer::IncrementalTotalizer(std::span<const Lit> inputs) : size_(inputs.size()) {
  assert(!inputs.empty());
  nodes_.reserve(2 * inputs.size() - 1);
  root_ = build(inputs);
}

int IncrementalTotalizer::build(std::span<const Lit> inputs) {
  Node node;
  node.size = inputs.size();
  if (inputs.size() == 1) {
    node.outputs.push_back(inputs.front());
  } else {
    node.left = build(inputs.first(inputs.size() / 2));
    node.right = build(inputs.subspan(inputs.size() / 2));
  }
  nodes_.push_back(std::move(node));
  return static_cast<int>(nodes_.size()) - 1;
}

Lit IncrementalTotalizer::output(std::size_t count, encoding::ClauseSink& sink) {
  assert(count >= 1 && count <= size_);
  extend(root_, count, sink);
  return nodes_[static_cast<std::size_t>(root_)].outputs[count - 1];
}

void IncrementalTotalizer::extend(int position, std::size_t count, encoding::ClauseSink& sink) {
  Node& node = nodes_[static_cast<std::size_t>(position)];
  count = std::min(count, node.size);
  if (node.outputs.size() >= count) return;
  extend(node.left, count, sink);
  extend(node.right, count, sink);
  const Node& left = nodes_[static_cast<std::size_t>(node.left)];
  const Node& right = nodes_[static_cast<std::size_t>(node.right)];
  for (std::size_t k = node.outputs.size() + 1; k <= count; ++k) {
    const Lit output = sink.new_variable();
    encoding::merge_at(std::span(left.outputs), std::span(right.outputs), static_cast<int>(k), output,
                       encoding::Implication::to_output, sink);
    if (k > 1) sink.add({~output, node.outputs.back()});
    node.outputs.push_back(output);
  }
}

}  // namespace bnnplan::maxsat
