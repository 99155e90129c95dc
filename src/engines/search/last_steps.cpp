// The end of a plan is evaluated but not stored. Of the states in the last layer, which are most of all
// states if few are reached twice, only those that satisfy the goal are useful, and of those of one node and
// class of actions only the cheapest. So the last step of a node is evaluated and forgotten, unless its state
// already has edges from an earlier layer.
//
// If hardly any state is reached twice, the same is done with the last two steps: from a node in the layer
// before, all pairs of classes whose costs add up to c are processed when the node's cost plus c is the
// smallest key. So the order of keys, and with it the lower bound, is that of a search that stores
// everything. The states between the two steps are recomputed for every c, which is little compared to what
// follows from them; they take no memory, no table is accessed, and all threads share the work. The price is
// that a state reached by two nodes is processed twice. So this begins only when nine tenths of the edges so
// far led to new states, and ends (for nodes not yet started) when a sample of the states between repeats. It
// requires steps of equal weight.
#include <algorithm>

#include "bnnplan/engines/search/best_first.hpp"

namespace bnnplan::engines {

// Whether the node's next edges are evaluated but not stored.
bool BestFirst::is_last(NodeId id) const {
  const Node& node = nodes_[id];
  if (node.layer + 1u != horizon_) return false;
  return node.last != 0 || (node.block == no_index && graph_.classes(node.state) == 0);
}

// Whether its last two steps are evaluated but not stored: decided when a node is first expanded.
bool BestFirst::is_last_two(NodeId id) const {
  const Node& node = nodes_[id];
  if (node.two != 0) return true;
  if (node.layer + 2u != horizon_ || any_plan_ || !run_.estimate->empty() || !run_.weights.empty())
    return false;
  if (node.block != no_index || node.waited != 0 || graph_.classes(node.state) != 0) return false;
  return graph_.edge_count() >= run_.edges_before_last_two && !graph_.two_steps_repeat(run_.is_kept);
}

// A new key: of all its nodes, those whose last two steps are evaluated come first, the cheapest first. From
// a cheap one most of the cost is still to be spent, so it has very many last steps and they are evaluated
// fastest, while the many nodes that cost nearly as much as the key have a few last steps each, and new ones
// take memory as well. A plan of this cost ends the search, and any last step is as likely to lead to one as
// any other.
void BestFirst::begin_key() {
  queue_.begin_key([this](const RadixQueue::Entry& entry) {
    const Node& node = nodes_[entry.value];
    return node.two != 0 ? std::optional(node.cost) : std::nullopt;
  });
}

// Makes all classes of actions that cost at most this much more than the cheapest.
void BestFirst::make_classes(std::int64_t cost) {
  while (!pairs_.made(cost) && run_.actions.make_class(run_.actions.class_count())) {
  }
}

// Asks for all pairs of classes with this total cost. Returns the number of evaluations needed.
std::size_t BestFirst::ask_last_two(NodeId id, std::int64_t cost) {
  std::size_t evaluations = 1;
  pairs_.visit_pairs(cost, [&](std::uint32_t first, std::uint32_t second) {
    questions_.last_two.push_back({nodes_[id].state, first, second});
    evaluations += pairs_.evaluations(first, second);
  });
  return evaluations;
}

void BestFirst::follow_last_edge(const TurnEntry& of_turn) {
  const NodeId id = of_turn.entry.value;
  Edge edge;
  if (of_turn.last_step != no_index) {
    edge = answers_.last[of_turn.last_step];
  } else {
    edge = ahead_.at(id).edge;
    ahead_.erase(id);
  }
  Node& node = nodes_[id];
  const bool fresh = node.block == no_index;
  node.last = 1;
  node.block = fresh ? 1 : node.block + 1;
  if (fresh && begin_node(id)) return;
  if (const auto bound = run_.actions.lower_bound(node.block)) {
    const std::int64_t key = node.cost + weighed(id, *bound);
    queue_again(id, any_plan_ ? 0 : std::max(key, of_turn.entry.key));
  }
  if (edge.next == no_index) return;
  const std::int64_t cost = any_plan_ ? 0 : node.cost + run_.extra_cost(edge, node.layer);
  if (cost >= upper_) return;
  graph_.keep(node.state, edge);
  found_goal(cost, id, edge.next);
}

void BestFirst::follow_last_two(const TurnEntry& of_turn) {
  const NodeId id = of_turn.entry.value;
  if (nodes_[id].two == 0) ++expanded_;
  nodes_[id].two = 1;
  has_last_two_ = true;
  nodes_[id].block = 0;
  const Node node = nodes_[id];
  if (const auto after = pairs_.cost_after(of_turn.entry.key - node.cost))
    queue_again(id, node.cost + *after);
  for (std::uint32_t i = of_turn.two_begin; i < of_turn.two_end; ++i) {
    const SuccessorGraph::LastTwoEdges& edges = answers_.last_two[i];
    if (edges.first.next == no_index || node.cost + edges.extra_cost >= upper_) continue;
    graph_.keep(node.state, edges.first);
    graph_.keep(edges.first.next, edges.last);
    // A node that only the plan uses: no other path comes to this layer.
    const NodeId between = add_node(
        {node.cost + graph_.extra_cost(edges.first), edges.first.next, horizon_, 0, 1, 0, id, no_index});
    found_goal(node.cost + edges.extra_cost, between, edges.last.next);
  }
}

}  // namespace bnnplan::engines
