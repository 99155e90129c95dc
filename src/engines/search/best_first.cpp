// Dijkstra's algorithm over the pairs (layer, state), on costs shifted so that no step is below 0: with
//
//   extra cost of a step = its cost - (cheapest action + cheapest next state that could ever be)
//
// a node's cost is a lower bound on every plan through it. If there are estimates of the cost to go
// (CostEstimate), it is A*: a node's key is its cost plus the estimate, again a lower bound, and the smallest
// key in the queue bounds every plan. Estimates are consistent, so a node has its least cost when it is first
// expanded; should one not have, it is expanded again.
//
// Five techniques keep it from touching what does not matter: the estimates, and
//
//   Partial expansion. A node is expanded one class of actions at a time, cheapest class first, and goes back
//   into the queue with its cost plus that of its next class (Yoshizumi, Miura, Ishida: A* with partial
//   expansion for large branching factor problems, 2000). Inference for expensive actions happens only if
//   they can still be part of an optimal plan.
//
//   Waiting. If a state has a step of extra cost 0 to itself, it can be left in every later layer at the same
//   cost, and so can everything that follows. Such a node stands for all layers from its own on; it is a plan
//   as soon as it satisfies the goal, and it makes every other node of its state in a later layer superfluous
//   that costs no less. Where waiting is free, the horizon costs nothing. It is not used if steps are
//   weighted (a discount), since the same steps cost something else later.
//
//   Turns. Nodes of equal key are expanded a few hundred at a time, so that inference gets batches; a turn
//   takes those found last, which goes deep and so finds a goal of the last key without expanding all of its
//   nodes. If keys are all different, states of other nodes near the front of the queue fill the batch: the
//   successors of a state do not depend on when they are computed.
//
//   Last steps, which are evaluated but not stored: last_steps.cpp.
//
// The memory is that of the nodes: 24 bytes and a hash slot of five for each (layer, state) reached.
#include "bnnplan/engines/search/best_first.hpp"

#include <algorithm>
#include <stdexcept>

namespace bnnplan::engines {

namespace {

constexpr std::uint32_t resumed = 1;              // tag of queue entries of nodes that were partly expanded
constexpr std::size_t work_between_looks = 4096;  // edges and nodes
constexpr std::size_t most_turn_evaluations = 32768;
constexpr std::size_t most_sliced_evaluations = std::size_t{1} << 23;  // some ten milliseconds
constexpr std::size_t dive_evaluations = 256;
constexpr std::size_t prefetch_distance = 12;

}  // namespace

BestFirst::BestFirst(SearchRun& run, bool any_plan)
    : run_(run),
      graph_(*run.graph),
      any_plan_(any_plan),
      horizon_(static_cast<std::uint32_t>(run.problem.horizon)),
      pairs_(run.actions) {}

void BestFirst::add_initial(StateId state) { reach(state, 0, false, 0, no_index); }

void BestFirst::set_upper(std::int64_t extra_cost) {
  if (extra_cost >= upper_) return;
  upper_ = extra_cost;
  best_node_ = best_last_ = no_index;
}

BestFirst::End BestFirst::run(std::uint64_t most_evaluations, std::size_t most_nodes) {
  while (!queue_.empty()) {
    if (graph_.evaluations() >= most_evaluations || nodes_.size() >= most_nodes) return End::paused;
    try {
      if (!take_turn()) return End::finished;
      compute_edges();
    } catch (const LimitReached&) {
      // As if nothing had been taken: what comes next must not depend on when a run is stopped.
      for (auto entry = turn_.rbegin(); entry != turn_.rend(); ++entry) queue_.push(entry->entry);
      throw;
    }
    // The edges followed last end up on top of the queue: those of the turn's first entry, where the search
    // continues.
    edges_.clear();
    for (auto entry = turn_.rbegin(); entry != turn_.rend(); ++entry) begin_edges(*entry);
    follow_edges();
    if (!questions_.last_two.empty()) work_ += work_between_looks;  // a lot of work in one turn
    if (any_plan_ && has_path()) return End::finished;
    if (work_ >= work_between_looks && !turn_.empty()) {
      work_ = 0;
      const auto layer = static_cast<int>(nodes_[turn_.front().entry.value].layer);
      run_.check_limits(layer, bytes_before_long());
      if (const auto outside = run_.outside_upper(); outside && !any_plan_) set_upper(*outside);
    }
  }
  return End::finished;
}

// Takes entries of the smallest key from the queue, enough to make computing their edges worth a batch: those
// of one key can be processed in any order. False if no better plan can follow.
bool BestFirst::take_turn() {
  turn_.clear();
  questions_.clear();
  last_ahead_.clear();
  graph_.clear_marks();
  // Part of a turn may turn out to be unnecessary: its size is kept to a small part of the work done so far.
  const auto part_of_all = static_cast<std::size_t>(std::max<std::uint64_t>(graph_.evaluations() / 8, 64));
  const std::size_t most = any_plan_ ? dive_evaluations : std::min(part_of_all, most_turn_evaluations);
  const std::size_t most_sliced = std::min(part_of_all, most_sliced_evaluations);
  std::size_t evaluations = 0, sliced = 0;
  if (has_last_two_ && !queue_.has_more_of_key()) begin_key();
  do {
    const RadixQueue::Entry entry = queue_.pop();
    ++work_;
    if (entry.key >= upper_) return false;
    key_ = entry.key;
    const NodeId id = entry.value;
    // A node that was reached again more cheaply has been expanded by an earlier entry.
    if (entry.tag != resumed && (nodes_[id].block != no_index || superfluous(id))) continue;
    if (entry.key > lower_) {
      lower_ = entry.key;
      run_.raise_lower(lower_);
    }
    turn_.push_back({entry, no_index});  // before a limit may be reached: entries in the turn are not lost
    if (is_last_two(id)) {
      const std::int64_t cost = entry.key - nodes_[id].cost;
      make_classes(cost);
      turn_.back().two_begin = static_cast<std::uint32_t>(questions_.last_two.size());
      (graph_.slices() ? sliced : evaluations) += ask_last_two(id, cost);
      turn_.back().two_end = static_cast<std::uint32_t>(questions_.last_two.size());
      continue;
    }
    const bool last = is_last(id);
    if (last || needs_edges(id)) {
      const StateId state = nodes_[id].state;
      const std::size_t index = class_of(id);
      if (!run_.actions.make_class(index)) {
        turn_.pop_back();
        continue;  // there are no more actions
      }
      const std::int64_t cost = any_plan_ ? 0 : weighed(id, run_.actions[index].cost);
      // The class did not exist when the key was computed, and is dearer.
      if (nodes_[id].cost + cost > entry.key) {
        turn_.pop_back();
        queue_again(id, nodes_[id].cost + cost);
        continue;
      }
      const auto known = last ? ahead_.find(id) : ahead_.end();
      if (last && (known == ahead_.end() || known->second.action_class != index)) {
        turn_.back().last_step = static_cast<std::uint32_t>(questions_.last.size());
        questions_.last.push_back({state, static_cast<std::uint32_t>(index)});
        evaluations += evaluations_of(index);
      } else if (!last && graph_.mark(state)) {
        questions_.expand.push_back(state);
        evaluations += evaluations_of(index);
      }
    }
  } while (queue_.has_more_of_key() && evaluations < most && sliced < most_sliced && turn_.size() < most);
  if (evaluations > 0 && evaluations < most && !any_plan_) look_ahead(evaluations, most);
  return true;
}

// Whether the next edges of the node's state are not computed yet.
bool BestFirst::needs_edges(NodeId id) const {
  return nodes_[id].block == graph_.last_block(nodes_[id].state);
}

// The class of actions of the node's next edges. Requires is_last(id) or needs_edges(id).
std::size_t BestFirst::class_of(NodeId id) const {
  const Node& node = nodes_[id];
  if (!is_last(id)) return graph_.classes(node.state);
  return node.block == no_index ? 0 : node.block;
}

std::size_t BestFirst::evaluations_of(std::size_t action_class) const {
  const ActionTable::ActionClass& actions = run_.actions[action_class];
  return actions.end - actions.begin;
}

// Fills the batch with states of other keys, as long as most of the entries examined are useful.
void BestFirst::look_ahead(std::size_t evaluations, std::size_t most) {
  std::size_t looked_at = 0;
  const std::size_t last_of_turn = questions_.last.size();
  queue_.look_ahead([&](const RadixQueue::Entry& entry) {
    const NodeId id = entry.value;
    const StateId state = nodes_[id].state;
    const bool last = is_last(id);
    if (!is_last_two(id) && (last || needs_edges(id)) && entry.key < upper_ &&
        class_of(id) < run_.actions.class_count()) {
      const std::size_t index = class_of(id);
      if (last && ahead_.count(id) == 0) {
        questions_.last.push_back({state, static_cast<std::uint32_t>(index)});
        last_ahead_.push_back(id);
        evaluations += evaluations_of(index);
      } else if (!last && graph_.mark(state)) {
        questions_.expand.push_back(state);
        evaluations += evaluations_of(index);
      }
    }
    const std::size_t useful = questions_.expand.size() + questions_.last.size() - last_of_turn;
    return evaluations < most && ++looked_at < 16 + 4 * useful;
  });
}

void BestFirst::compute_edges() {
  graph_.answer(questions_, bytes_before_long(), answers_);
  const std::size_t first = questions_.last.size() - last_ahead_.size();
  for (std::size_t i = 0; i < last_ahead_.size(); ++i) {
    ahead_.insert_or_assign(last_ahead_[i],
                            Ahead{questions_.last[first + i].action_class, answers_.last[first + i]});
  }
}

// Adds a node's next edges, which have been computed, to those followed in this turn.
void BestFirst::begin_edges(const TurnEntry& of_turn) {
  const RadixQueue::Entry& entry = of_turn.entry;
  if (entry.key >= upper_) return;
  const NodeId id = entry.value;
  const StateId state = nodes_[id].state;
  const bool fresh = nodes_[id].block == no_index;
  if (!fresh && entry.tag != resumed) return;
  if (fresh && superfluous(id)) return;  // since the turn began
  if (of_turn.two_begin != no_index) return follow_last_two(of_turn);
  if (of_turn.last_step != no_index || ahead_.count(id) > 0) return follow_last_edge(of_turn);
  if (!fresh && needs_edges(id)) return queue_again(id, entry.key);  // another entry came before this one
  const std::uint32_t block = fresh ? graph_.first_block(state) : graph_.block(nodes_[id].block).next_block;
  nodes_[id].block = block;
  if (fresh && begin_node(id)) return;

  // The next edges first, so that they come after what follows from these.
  const std::int64_t cost = nodes_[id].cost;
  if (needs_edges(id)) {
    if (const auto bound = run_.actions.lower_bound(graph_.classes(state))) {
      queue_again(id, any_plan_ ? 0 : std::max(cost + weighed(id, *bound), entry.key));
    }
  } else {
    // Edges computed for another layer: the first one tells the cost of the class.
    const EdgeBlock& next = graph_.block(graph_.block(block).next_block);
    const bool known = !any_plan_ && next.count > 0;
    queue_again(
        id, known ? std::max(cost + weighed(id, run_.actions.cost(graph_.edge(next.begin).action)), entry.key)
                  : entry.key);
  }

  const EdgeBlock edges = graph_.block(block);
  for (std::uint64_t i = edges.begin + edges.count; i > edges.begin; --i)
    edges_.push_back({id, graph_.edge(i - 1)});
}

void BestFirst::follow_edges() {
  work_ += edges_.size();
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    if (i + prefetch_distance < edges_.size()) {
      const NodeEdge& later = edges_[i + prefetch_distance];
      const Node& node = nodes_[later.node];
      index_.prefetch(hash(later.edge.next, node.layer + 1, node.waited != 0));
    }
    follow(edges_[i].node, edges_[i].edge);
    if (any_plan_ && has_path()) return;
  }
}

void BestFirst::queue_again(NodeId id, std::int64_t key) {
  if (key < upper_) queue_.push({key, id, resumed});
}

// The node's first turn: checks whether waiting is possible. True if the node needs no further work.
bool BestFirst::begin_node(NodeId id) {
  Node& node = nodes_[id];
  ++expanded_;
  if (graph_.waits(node.state) && run_.weights.empty()) node.waited = 1;
  if (!node.waited) return false;
  set_waiting_node(node.state, id);
  if (!graph_.goal(node.state)) return false;
  found_goal(node.cost, id, no_index);
  return true;  // everything that follows costs no less
}

void BestFirst::follow(NodeId id, const Edge& edge) {
  const Node node = nodes_[id];
  const std::int64_t cost = any_plan_ ? 0 : node.cost + run_.extra_cost(edge, node.layer);
  if (cost >= upper_) return;
  const std::uint32_t layer = node.layer + 1;
  if (graph_.goal(edge.next) && (layer == horizon_ || node.waited)) {
    found_goal(cost, id, edge.next);
    return;
  }
  if (layer < horizon_ && graph_.alive(edge.next)) reach(edge.next, layer, node.waited, cost, id);
}

void BestFirst::found_goal(std::int64_t cost, NodeId node, StateId last) {
  if (cost >= upper_) return;
  upper_ = cost;
  best_node_ = node;
  best_last_ = last;
  const Path path = best_path();
  run_.improve(any_plan_ ? run_.extra_cost(path) : cost, path);
}

void BestFirst::reach(StateId state, std::uint32_t layer, bool waited, std::int64_t cost, NodeId parent) {
  if (is_waited_for(state, layer, cost)) return;
  const std::uint64_t value = hash(state, layer, waited);
  const NodeId found = index_.find(value, [&](NodeId id) {
    const Node& node = nodes_[id];
    return node.state == state && node.layer == layer && node.waited == (waited ? 1u : 0u);
  });
  if (found != no_index) {
    Node& node = nodes_[found];
    if (cost >= node.cost) return;
    const std::int64_t key = key_of(state, layer, waited, cost);
    if (key >= upper_ || key == CostEstimate::infinite) return;
    node.cost = cost;
    node.parent = parent;
    node.block = no_index;
    queue_.push({key, found, 0});
    return;
  }
  const std::int64_t key = key_of(state, layer, waited, cost);
  if (key >= upper_ || key == CostEstimate::infinite) return;
  const NodeId id = add_node({cost, state, layer, waited ? 1u : 0u, 0, 0, parent, no_index});
  queue_.push({key, id, 0});
}

BestFirst::NodeId BestFirst::add_node(const Node& node) {
  if (nodes_.size() >= no_index) throw std::length_error("more than 2^32 search nodes");
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back(node);
  const auto hash_of = [&](NodeId other) {
    return hash(nodes_[other].state, nodes_[other].layer, nodes_[other].waited != 0);
  };
  index_.insert(hash_of(id), id, hash_of);
  return id;
}

// A lower bound on every plan through the node, no less than the current key; CostEstimate::infinite if there
// is no such plan.
std::int64_t BestFirst::key_of(StateId state, std::uint32_t layer, bool waited, std::int64_t cost) const {
  // `cost` is below `key_` only after resuming a checkpoint that others wrote.
  if (run_.estimate->empty()) return std::max(key_, cost);
  const std::uint32_t steps = horizon_ - layer;
  const std::uint64_t* words = graph_.words(state);
  const std::int64_t rest =
      waited ? run_.estimate->of_at_most(words, steps) : run_.estimate->of_steps(words, steps);
  if (rest >= CostEstimate::infinite) return CostEstimate::infinite;
  return any_plan_ ? 0 : std::max(key_, cost + rest);
}

// If no state can wait, nothing is stored and nothing looked up.
void BestFirst::set_waiting_node(StateId state, NodeId id) {
  waiting_node_.grow_to(graph_.state_limit(), no_index);
  waiting_node_[state] = id;
}

// Whether a node of this state that also stands for this layer costs no more.
bool BestFirst::is_waited_for(StateId state, std::uint32_t layer, std::int64_t cost) const {
  const NodeId other = waiting_node(state);
  return other != no_index && nodes_[other].layer <= layer && nodes_[other].cost <= cost;
}

bool BestFirst::superfluous(NodeId id) const {
  const Node& node = nodes_[id];
  return waiting_node(node.state) != id && is_waited_for(node.state, node.layer, node.cost);
}

Path BestFirst::best_path() const {
  Path path;
  if (best_last_ != no_index) path.push_back(best_last_);
  NodeId wait = no_index;  // the first node at which waiting is possible
  for (NodeId id = best_node_; id != no_index; id = nodes_[id].parent) {
    path.push_back(nodes_[id].state);
    if (nodes_[id].waited != 0) wait = id;
  }
  std::reverse(path.begin(), path.end());
  if (path.size() > std::size_t{horizon_} + 1 || (path.size() <= horizon_ && wait == no_index))
    throw std::logic_error("a path that is not a plan");
  const std::size_t missing = std::size_t{horizon_} + 1 - path.size();
  if (missing > 0) {
    const auto place = path.begin() + static_cast<std::ptrdiff_t>(nodes_[wait].layer);
    path.insert(place, missing, nodes_[wait].state);
  }
  return path;
}

std::size_t BestFirst::bytes() const {
  return nodes_.bytes() + index_.bytes() + queue_.bytes() + waiting_node_.bytes() +
         questions_.expand.capacity() * sizeof(StateId) + turn_.capacity() * sizeof(TurnEntry) +
         edges_.capacity() * sizeof(NodeEdge) + ahead_.size() * (sizeof(Ahead) + 4 * sizeof(void*)) +
         questions_.last.capacity() * (sizeof(SuccessorGraph::LastStep) + sizeof(Edge) + sizeof(NodeId));
}

// Includes the next growth of the hash table, if that is near: it doubles at once.
std::size_t BestFirst::bytes_before_long() const {
  const std::size_t sorted = has_last_two_ ? queue_.size() * sizeof(RadixQueue::Entry) : 0;  // by begin_key
  return bytes() + index_.bytes_of_growth(2 * work_between_looks) + sorted;
}

}  // namespace bnnplan::engines
