// A linear constraint as a reduced ordered decision diagram, written as clauses (Een and Soerensson 2006;
// Abio, Nieuwenhuis, Oliveras, Rodriguez-Carbonell and Mayer-Eichberger 2012; Abio and Stuckey 2014).
//
// Node (i, b) says: the terms from i on have a sum >= b. It branches on literal x of term i with coefficient
// a:
//
//   node (i, b)  <->  if x then node (i+1, b-a) else node (i+1, b)
//
// Many b lead to the same function. Each level keeps a sorted list of disjoint intervals [low, high] of b,
// each with its node: if the children stand for [l0, h0] and [l1, h1], then this node stands for the
// intersection of [l0, h0] and [l1 + a, h1 + a]. A look-up in these intervals is all that is needed to get
// the reduced diagram in one pass from the top, without building equal nodes twice. A node whose children are
// equal is its child.
//
// The sum is monotone, so the then-child follows from the else-child, and each implication takes only two
// clauses per node where general diagrams need three:
//
//   to output    else -> node,  x and then -> node        from output    node -> then,  node -> x or else
//
// Propagation complete in both directions (Abio et al. 2012). Size: the number of different sub-functions, at
// most n * bound, exponential for coefficients like 2^i + 2^n; the choice by price guards against that.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <map>
#include <vector>

#include "bnnplan/encode/weighted_encodings.hpp"

namespace bnnplan::encoding {

namespace {

// The function of a node: true, false, or a literal that represents it; the same for all bounds in low..high.
struct Node {
  enum class Kind { always_true, always_false, literal };
  Kind kind = Kind::literal;
  Lit literal;
  std::int64_t low = 0;
  std::int64_t high = 0;

  bool same_function(const Node& other) const {
    return kind == other.kind && (kind != Kind::literal || literal == other.literal);
  }
};

class DiagramWriter {
 public:
  DiagramWriter(const WeightedAtLeast& constraint, Lit output, Implication implication, ClauseSink& sink)
      : constraint_(constraint),
        output_(output),
        implication_(implication),
        sink_(sink),
        intervals_(constraint.terms.size()),
        sum_from_(constraint.terms.size() + 1) {
    for (std::size_t i = constraint.terms.size(); i-- > 0;) {
      sum_from_[i] = sum_from_[i + 1] + constraint.terms[i].coefficient;
    }
  }

  void write() { node(0, constraint_.bound); }

 private:
  static constexpr std::int64_t kInfinity = std::numeric_limits<std::int64_t>::max();

  Node node(std::size_t level, std::int64_t bound) {
    if (bound <= 0) return {Node::Kind::always_true, {}, -kInfinity, 0};
    if (bound > sum_from_[level]) return {Node::Kind::always_false, {}, sum_from_[level] + 1, kInfinity};
    if (const auto after = intervals_[level].upper_bound(bound); after != intervals_[level].begin()) {
      const Node& known = std::prev(after)->second;
      if (bound <= known.high) return known;
    }
    const WeightedLit& term = constraint_.terms[level];
    const Node if_true = node(level + 1, bound - term.coefficient);
    const Node if_false = node(level + 1, bound);
    Node made = if_false;
    made.low = std::max(if_false.low, shifted(if_true.low, term.coefficient));
    made.high = std::min(if_false.high, shifted(if_true.high, term.coefficient));
    if (!if_true.same_function(if_false) || level == 0) {
      made.kind = Node::Kind::literal;
      made.literal = literal_for(level, term.literal, if_true, if_false);
    }
    intervals_[level].emplace(made.low, made);
    return made;
  }

  static std::int64_t shifted(std::int64_t end, std::int64_t coefficient) {
    return end == kInfinity || end == -kInfinity ? end : end + coefficient;
  }

  Lit literal_for(std::size_t level, Lit x, const Node& if_true, const Node& if_false) {
    const bool is_root = level == 0;
    if (!is_root && if_true.kind == Node::Kind::always_true && if_false.kind == Node::Kind::always_false)
      return x;
    const Lit made = is_root ? output_ : sink_.new_variable();
    if (goes_to_output(implication_)) {
      add_if({if_false}, made);
      add_if({if_true, {Node::Kind::literal, x, 0, 0}}, made);
    }
    if (goes_from_output(implication_)) {
      add_then(made, {if_true});
      add_then(made, {if_false, {Node::Kind::literal, x, 0, 0}});
    }
    return made;
  }

  // All conditions -> conclusion.
  void add_if(std::initializer_list<Node> conditions, Lit conclusion) {
    std::size_t length = 0;
    for (const Node& condition : conditions) {
      if (condition.kind == Node::Kind::always_false) return;
      if (condition.kind == Node::Kind::literal) clause_[length++] = ~condition.literal;
    }
    clause_[length++] = conclusion;
    sink_.add(std::span<const Lit>(clause_.data(), length));
  }

  // condition -> one of the alternatives.
  void add_then(Lit condition, std::initializer_list<Node> alternatives) {
    std::size_t length = 0;
    for (const Node& alternative : alternatives) {
      if (alternative.kind == Node::Kind::always_true) return;
      if (alternative.kind == Node::Kind::literal) clause_[length++] = alternative.literal;
    }
    clause_[length++] = ~condition;
    sink_.add(std::span<const Lit>(clause_.data(), length));
  }

  const WeightedAtLeast& constraint_;
  Lit output_;
  Implication implication_;
  ClauseSink& sink_;
  std::vector<std::map<std::int64_t, Node>> intervals_;  // by the low end
  std::vector<std::int64_t> sum_from_;
  std::array<Lit, 3> clause_;
};

}  // namespace

void encode_decision_diagram(const WeightedAtLeast& constraint, Lit output, Implication implication,
                             ClauseSink& sink) {
  DiagramWriter(constraint, output, implication, sink).write();
}

}  // namespace bnnplan::encoding
