// The plan of a distributed search, found backwards. Its last step is with the rank that owns the state before; of every state the
// owner knows the hash of the one before it and the action between, and tells all. So it takes one broadcast for each step, and
// nobody needs more of the plan than its own states.
//
// An action is a number in a table that every rank makes for itself as far as it needs it; so it is its bits that are told, by who has
// expanded the state that it starts from, and so has certainly made it.
#include <stdexcept>

#include "ranks/rank_search.hpp"

namespace bnnplan {

namespace {

// Unsigned order as signed, for reductions.
std::int64_t ordered(std::uint64_t value) {
  return static_cast<std::int64_t>(value ^ std::uint64_t{1} << 63);
}

}  // namespace

// The best plan, from its last step to its first: whoever owns a state says how it was reached.
std::optional<Plan> RankSearch::follow_back() {
  share_upper();
  if (upper_ == none) return std::nullopt;
  // Whose it is: the least by cost, parent and action, which only the owner of the parent can have.
  const bool candidate = goal_ && goal_->cost == upper_;  // upper_ is the least of them
  std::int64_t parent = candidate ? ordered(goal_->parent) : none;
  const std::int64_t own_parent = parent;
  ranks_.minimum({&parent, 1});
  std::int64_t holder = candidate && own_parent == parent ? ranks_.rank() : none;
  ranks_.minimum({&holder, 1});
  Words told;
  if (ranks_.rank() == holder) {
    told = goal_->state;
    told.push_back(goal_->parent);
    told.push_back(goal_->action);
  }
  const std::size_t words = run_.packed.state_words, action_words = run_.packed.action_words;
  std::vector<Words> states(horizon_ + 1), actions(horizon_);
  int from = static_cast<int>(holder);
  for (std::uint32_t layer = horizon_;; --layer) {
    ranks_.broadcast(from, told);
    const std::uint64_t* of_layer = told.data();
    states[layer].assign(of_layer, of_layer + words);
    const std::uint64_t hash = of_layer[words];
    const auto action = static_cast<ActionId>(of_layer[words + 1]);
    // The action to the layer after: only who has expanded the state has certainly made it.
    if (layer < horizon_) actions[layer].assign(of_layer + words + 2, of_layer + words + 2 + action_words);
    if (layer == 0) break;
    from = RankNodes::owner(hash, ranks_.size());
    told.clear();
    if (from != ranks_.rank()) continue;
    const Id node = nodes_->find(hash, layer - 1);
    if (node == no_index) throw std::logic_error("a plan whose beginning nobody knows");
    told.resize(words);
    nodes_->copy_state(node, told.data());
    told.push_back((*nodes_)[node].parent);
    told.push_back((*nodes_)[node].action);
    told.insert(told.end(), run_.actions.bits(action), run_.actions.bits(action) + action_words);
  }
  std::vector<PathStep> steps;
  for (std::uint32_t t = 0; t < horizon_; ++t)
    steps.push_back({states[t].data(), actions[t].data(), states[t + 1].data()});
  return run_.make_plan(steps, upper_);
}

}  // namespace bnnplan
