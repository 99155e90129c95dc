// What must be saved of a search so that it continues as if it had never stopped: states and edges in the
// order of their numbers, nodes, and the queue. Everything derived from these (hash tables, which states
// satisfy the goal, costs of states, which states can wait, estimates, actions) is recomputed.
//
// Everything read is checked before it is used: numbers of things that exist, classes of actions in order,
// parents in earlier layers. So a file that is not ours may lead to a wrong bound, but not to an access out
// of bounds or an endless loop; and a plan is checked in any case.
#include <cstdlib>
#include <limits>

#include "bnnplan/engines/search/best_first.hpp"

namespace bnnplan::engines {

namespace {

constexpr std::uint64_t largest_number = std::uint64_t{1} << 62;
constexpr std::int64_t no_cost = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t flag_bits = 3;
constexpr std::size_t states_between_looks = std::size_t{1} << 16;

}  // namespace

void SuccessorGraph::save(CheckpointWriter& file) const {
  for (const Shard& shard : shards_) {
    file.write(shard.states.size());
    for (StateId state = 0; state < shard.states.size(); ++state) {
      for (std::size_t i = 0; i < problem_.state_words; ++i) file.write(shard.states[state][i]);
    }
  }
  std::vector<StateId> owner(blocks_.size());
  for (StateId state = 0; state < state_limit_; ++state) {
    if (!exists(state)) continue;
    for (std::uint32_t index = first_block(state); index != no_index; index = blocks_[index].next_block) {
      owner[index] = state;
    }
  }
  file.write(blocks_.size());
  for (std::size_t index = 0; index < blocks_.size(); ++index) {
    const EdgeBlock& block = blocks_[index];
    file.write(owner[index], block.count);
    for (std::uint64_t i = block.begin; i < block.begin + block.count; ++i) {
      file.write(edges_[i].next, edges_[i].action);
    }
  }
  file.write(last_edges_.size());
  for (const auto& [states, action] : last_edges_) {
    file.write(states.first, states.second);
    file.write(action);
  }
  file.write(evaluations_);
  file.write(forgotten_evaluations_);
  file.write(sampled_);
  file.write(sample_.size());
  for (const std::uint64_t hash : sample_) file.write(hash);
}

std::vector<StateId> SuccessorGraph::restore(CheckpointReader& file) {
  Words words(problem_.state_words);
  for (std::uint32_t number = 0; number < shard_count; ++number) {
    const std::size_t count = file.read_count(problem_.state_words);
    file.require(count >= shards_[number].states.size() && count < no_index / shard_count,
                 "its number of states");
    for (std::size_t state = 0; state < count; ++state) {
      if (state % states_between_looks == 0) watch_.check_memory(bytes());
      for (std::uint64_t& word : words) word = file.read();
      file.require(problem_.refused.empty() || problem_.refused.has(words.back()), "a refused prefix");
      file.require(add_state(words.data()) == state * shard_count + number,
                   "a duplicate state, or a different initial state");
    }
  }
  std::vector<StateId> owner(file.read_count(1));
  file.require(owner.size() < no_index, "its number of edges");
  for (StateId& state : owner) {
    const auto [of, edges] = file.read_pair();
    file.require(exists(of) && classes(of) < actions_.class_count(), "edges without a state");
    state = of;
    const ActionTable::ActionClass& actions = actions_[classes(of)];
    const std::uint64_t begin = edges_.size();
    for (std::uint32_t i = 0; i < edges; ++i) {
      const auto [next, action] = file.read_pair();
      file.require(exists(next) && action >= actions.begin && action < actions.end, "an edge to nowhere");
      edges_.push_back({next, action});
      if (next == of && extra_cost({next, action}) == 0) record(of).waits = 1;
    }
    append_block(of, begin);
  }
  for (std::size_t left = file.read_count(2); left > 0; --left) {
    const auto [from, to] = file.read_pair();
    const std::uint64_t action = file.read();
    file.require(exists(from) && exists(to) && action < actions_.size(), "a last step to nowhere");
    last_edges_.try_emplace({from, to}, static_cast<ActionId>(action));
  }
  evaluations_ = file.read_up_to(largest_number, "its number of evaluations");
  forgotten_evaluations_ = file.read_up_to(evaluations_, "its number of evaluations");
  sampled_ = file.read_up_to(largest_number, "its number of samples");
  for (std::size_t left = file.read_count(1); left > 0; --left) sample_.insert(file.read());
  return owner;
}

void BestFirst::save(CheckpointWriter& file) const {
  file.write_signed(upper_);
  file.write_signed(lower_);
  file.write_signed(key_);
  file.write(best_node_, best_last_);
  file.write(expanded_);
  file.write(nodes_.size());
  for (std::size_t id = 0; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    file.write_signed(node.cost);
    file.write(node.state, node.layer << flag_bits | node.waited << 2 | node.last << 1 | node.two);
    file.write(node.parent, node.block);
  }
  std::size_t waiting = 0;
  for (StateId state = 0; state < waiting_node_.size(); ++state) {
    waiting += waiting_node_[state] != no_index ? 1 : 0;
  }
  file.write(waiting);
  for (StateId state = 0; state < waiting_node_.size(); ++state) {
    if (waiting_node_[state] != no_index) file.write(state, waiting_node_[state]);
  }
  file.write(ahead_.size());
  for (const auto& [node, ahead] : ahead_) {
    file.write(node, ahead.action_class);
    file.write(ahead.edge.next, ahead.edge.action);
  }
  file.write_signed(queue_.last_key());
  file.write(queue_.size());
  queue_.visit_all([&](const RadixQueue::Entry& entry) {
    file.write_signed(entry.key);
    file.write(entry.value, entry.tag);
  });
}

void BestFirst::restore(CheckpointReader& file, std::span<const StateId> block_state) {
  const auto exists = [this](StateId state) { return graph_.exists(state); };
  const std::size_t classes = run_.actions.class_count();
  // An upper bound on a step's extra cost; no sum over the horizon overflows, as validate() has checked.
  std::int64_t most_step = 0;
  for (const Term& term : run_.problem.objective.terms) most_step += std::abs(term.coefficient);
  const std::int64_t largest_cost = total_weight(run_.weights, static_cast<int>(horizon_)) * most_step;
  upper_ = file.read_signed(0, no_cost, "its upper bound");
  file.require(upper_ <= largest_cost || upper_ == no_cost, "its upper bound");
  lower_ = file.read_signed(0, largest_cost, "its lower bound");
  key_ = file.read_signed(0, largest_cost, "its key");
  const auto [best_node, best_last] = file.read_pair();
  best_node_ = best_node;
  best_last_ = best_last;
  expanded_ = file.read_up_to(largest_number, "its number of nodes");
  const std::size_t count = file.read_count(3);
  file.require(count < no_index, "its number of nodes");
  file.require(
      (best_node_ < count || best_node_ == no_index) && (best_last_ == no_index || exists(best_last_)),
      "its best plan");
  for (std::size_t id = 0; id < count; ++id) {
    Node node;
    node.cost = static_cast<std::int64_t>(file.read());
    const auto [state, packed] = file.read_pair();
    node.state = state;
    node.layer = packed >> flag_bits;
    node.waited = packed >> 2 & 1;
    node.last = packed >> 1 & 1;
    node.two = packed & 1;
    has_last_two_ = has_last_two_ || node.two != 0;
    const auto [parent, block] = file.read_pair();
    node.parent = parent;
    node.block = block;
    file.require(exists(state) && node.layer <= horizon_, "a node without a state");
    file.require(
        node.cost >= 0 && node.cost <= (run_.weights.empty() ? node.layer * most_step : largest_cost),
        "the cost of a node");
    file.require(parent == no_index ? node.layer == 0 : parent < count, "a node without a parent");
    const bool last = node.last != 0 && node.layer + 1u == horizon_ && block <= classes;
    const bool two = node.two != 0 && node.layer + 2u == horizon_ && block == 0;
    const bool kept =
        node.last == 0 && node.two == 0 && block < block_state.size() && block_state[block] == state;
    file.require(block == no_index || last || two || kept, "a node with wrong edges");
    add_node(node);
  }
  for (std::size_t id = 0; id < count; ++id) {
    const Node& node = nodes_[id];
    file.require(node.parent == no_index || nodes_[node.parent].layer < node.layer,
                 "a node without a parent");
  }
  for (std::size_t left = file.read_count(1); left > 0; --left) {
    const auto [state, node] = file.read_pair();
    file.require(node < count && nodes_[node].state == state, "a node that waits elsewhere");
    set_waiting_node(state, node);
  }
  for (std::size_t left = file.read_count(2); left > 0; --left) {
    const auto [node, action_class] = file.read_pair();
    const auto [next, action] = file.read_pair();
    file.require(node < count && (next == no_index || exists(next)) && action < run_.actions.size(),
                 "a last step to nowhere");
    ahead_.insert_or_assign(node, Ahead{action_class, {next, action}});
  }
  queue_.restore(file.read_signed(0, largest_cost, "its key"));
  for (std::size_t left = file.read_count(2); left > 0; --left) {
    const std::int64_t key = file.read_signed(queue_.last_key(), largest_cost, "a key of its queue");
    const auto [node, tag] = file.read_pair();
    file.require(node < count && nodes_[node].layer < horizon_ && tag <= 1, "a node of its queue");
    queue_.push({key, node, tag});
  }
}

}  // namespace bnnplan::engines
