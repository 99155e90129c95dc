#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bnnplan/base/literal.hpp"
#include "bnnplan/encode/clause_sink.hpp"

namespace bnnplan::maxsat {

// Counts how many of its inputs are true, in unary and only as far as requested.
class IncrementalTotalizer {
 public:
  // Requires at least one input. Nothing is encoded yet.
  explicit IncrementalTotalizer(std::span<const Lit> inputs);

  std::size_t size() const { return size_; }

  // A literal that is true whenever at least `count` inputs are, and may be false whenever fewer are;
  // output(count + 1) implies output(count). Requires 1 <= count <= size(). Encodes what is missing.
  Lit output(std::size_t count, encoding::ClauseSink& sink);

 private:
  struct Node {
    std::size_t size = 1;
    int left = -1, right = -1;  // positions in nodes_; -1 in a leaf
    std::vector<Lit> outputs;   // those that exist; outputs[k] for at least k + 1
  };

  int build(std::span<const Lit> inputs);
  void extend(int node, std::size_t count, encoding::ClauseSink& sink);

  std::vector<Node> nodes_;
  int root_;
  std::size_t size_;
};

}  // namespace bnnplan::maxsat
