#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "bnnplan/engines/search/action_pairs.hpp"
#include "bnnplan/engines/search/chunked_array.hpp"
#include "bnnplan/engines/search/radix_queue.hpp"
#include "bnnplan/engines/search/search_run.hpp"

namespace bnnplan::engines {

// Best-first search over (layer, state), by cost and estimated rest, with the actions of a state in order of
// cost. It can be interrupted and resumed. With `any_plan` all costs count as 0, which makes it a depth-first
// search for any plan.
class BestFirst {
 public:
  BestFirst(SearchRun& run, bool any_plan);  // keeps a reference

  void add_initial(StateId state);

  // Extra costs from this one on are of no interest any more, because a plan of this cost is known.
  void set_upper(std::int64_t extra_cost);

  enum class End {
    // best_path() is optimal (with any_plan: is a plan), or there is no plan better than the upper bound
    finished,
    paused  // more evaluations or nodes than allowed
  };
  // May be called again after it throws LimitReached.
  End run(std::uint64_t most_evaluations, std::size_t most_nodes);

  bool has_path() const { return best_node_ != no_index; }
  Path best_path() const;  // requires has_path()
  std::int64_t best_extra_cost() const { return upper_; }

  // The whole state of the search between two turns. restore() is for a new search, after the graph was
  // restored. `block_state` is the state of each block of edges.
  void save(CheckpointWriter& file) const;
  void restore(CheckpointReader& file, std::span<const StateId> block_state);

  std::size_t node_count() const { return nodes_.size(); }
  std::uint64_t expanded() const { return expanded_; }
  std::size_t bytes() const;

 private:
  using NodeId = std::uint32_t;
  struct Node {
    std::int64_t cost;
    StateId state;
    std::uint32_t layer : 29;
    std::uint32_t waited : 1;  // the state can be reached in any later layer as well, at the same cost
    std::uint32_t last : 1;    // its edges are the last step of a plan, and are not stored
    std::uint32_t two : 1;     // its edges are the last two steps of a plan, and are not stored
    NodeId parent;
    // The last block of edges processed; no_index: none yet. If `last`: the next action class.
    std::uint32_t block;
  };
  // A queue entry being processed, and which of the last steps belong to it (no_index: none).
  struct TurnEntry {
    RadixQueue::Entry entry;
    std::uint32_t last_step;
    std::uint32_t two_begin = no_index, two_end = no_index;
  };

  bool take_turn();
  bool needs_edges(NodeId id) const;
  // The extra cost of an action of this cost above the cheapest one, in the node's layer.
  std::int64_t weighed(NodeId id, std::int64_t action_cost) const {
    return run_.weight(nodes_[id].layer) * (action_cost - run_.actions[0].cost);
  }
  std::size_t evaluations_of(std::size_t action_class) const;
  bool is_last(NodeId id) const;
  std::size_t class_of(NodeId id) const;
  void compute_edges();
  void look_ahead(std::size_t evaluations, std::size_t most);
  void begin_edges(const TurnEntry& entry);
  void follow_last_edge(const TurnEntry& entry);
  bool is_last_two(NodeId id) const;
  void begin_key();
  void make_classes(std::int64_t cost);
  std::size_t ask_last_two(NodeId id, std::int64_t cost);
  NodeId add_node(const Node& node);
  void follow_last_two(const TurnEntry& entry);
  void follow_edges();
  void queue_again(NodeId id, std::int64_t key);
  bool begin_node(NodeId id);
  void follow(NodeId id, const Edge& edge);
  void reach(StateId state, std::uint32_t layer, bool waited, std::int64_t cost, NodeId parent);
  void found_goal(std::int64_t cost, NodeId node, StateId last);
  std::int64_t key_of(StateId state, std::uint32_t layer, bool waited, std::int64_t cost) const;
  NodeId waiting_node(StateId state) const {
    return state < waiting_node_.size() ? waiting_node_[state] : no_index;
  }
  void set_waiting_node(StateId state, NodeId id);
  bool is_waited_for(StateId state, std::uint32_t layer, std::int64_t cost) const;
  bool superfluous(NodeId id) const;
  static std::uint64_t hash(StateId state, std::uint32_t layer, bool waited) {
    return mixed_hash(state, std::uint64_t{layer} << 33 | (waited ? 1u : 0u));
  }
  std::size_t bytes_before_long() const;

  SearchRun& run_;
  SuccessorGraph& graph_;
  bool any_plan_;
  std::uint32_t horizon_;
  RadixQueue queue_;
  ChunkedArray<Node> nodes_;
  HashIndex index_;                    // over (state, layer, waited)
  ChunkedArray<NodeId> waiting_node_;  // by state: a node that stands for all later layers
  std::vector<TurnEntry> turn_;        // entries of one key, processed together
  struct NodeEdge {
    NodeId node;
    Edge edge;
  };
  std::vector<NodeEdge> edges_;          // followed in this turn
  SuccessorGraph::Questions questions_;  // of this turn
  SuccessorGraph::Answers answers_;      // their answers
  std::vector<NodeId> last_ahead_;       // the nodes of the last steps asked for beyond the turn's own
  ActionPairs pairs_;                    // of the last two steps
  struct Ahead {
    std::uint32_t action_class;
    Edge edge;
  };
  std::unordered_map<NodeId, Ahead> ahead_;  // last edges computed before the node's turn
  std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t lower_ = 0;
  std::int64_t key_ = 0;  // the one being processed
  // The best plan leads to this node, and then to this state unless it is no_index.
  NodeId best_node_ = no_index;
  StateId best_last_ = no_index;
  std::uint64_t expanded_ = 0;
  bool has_last_two_ = false;  // some node's last two steps are not stored
  std::size_t work_ = 0;       // since the last check of the limits
};

}  // namespace bnnplan::engines
