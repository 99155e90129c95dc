// The plan of a distributed search, found backwards. Its last step, or its last two, are with the rank that
// owns the state before; the owner of each state knows the hash of the previous state and the action between,
// and broadcasts them. So it takes one broadcast per step, and no rank needs more of the plan than its own
// states. Actions are numbers in a table that is the same on all ranks.
#include <stdexcept>

#include "bnnplan/ranks/rank_search.hpp"

namespace bnnplan::ranks {

// The best plan, from its last step to its first: the owner of each state tells how it was reached.
std::optional<Plan> RankSearch::follow_back() {
  share_upper();
  if (upper_ == none) return std::nullopt;
  // Which rank has it: the smallest, of a parent that only one rank can own.
  bool candidate = goal_ && goal_->cost == upper_;  // upper_ is the least cost of all
  for (const std::int64_t own : goal_.value_or(Goal{}).among_ranks()) {
    std::int64_t least = candidate ? own : none;
    minimum({&least, 1});
    candidate = candidate && own == least;
  }
  std::int64_t holder = candidate ? ranks_.rank() : none;
  minimum({&holder, 1});
  engines::Words told;
  if (ranks_.rank() == holder) {
    told = goal_->tail;
    told.insert(told.end(), {goal_->parent, goal_->layer});
  }
  ranks_.broadcast(static_cast<int>(holder), told);
  const std::size_t words = run_.packed.state_words, action_words = run_.packed.action_words;
  std::vector<engines::Words> states(horizon_ + 1), actions(horizon_);
  const std::uint64_t* place = told.data();
  const auto layer = static_cast<std::uint32_t>(told.back());
  for (std::uint32_t at = layer; at < horizon_; ++at) {
    actions[at].assign(place, place + action_words);
    states[at + 1].assign(place + action_words, place + action_words + words);
    place += action_words + words;
  }
  std::uint64_t hash = *place;
  std::uint32_t action = RankNodes::no_action;  // from the broadcast state to the one after it
  for (std::uint32_t at = layer;; --at) {
    const int owner = RankNodes::owner(hash, ranks_.size());
    told.clear();
    if (owner == ranks_.rank()) {
      const Id node = nodes_->find(hash, at);
      if (node == engines::no_index) throw std::logic_error("a plan whose beginning no rank knows");
      told.resize(words);
      nodes_->copy_state(node, told.data());
      told.push_back((*nodes_)[node].parent);
      told.push_back((*nodes_)[node].action);
      if (action != RankNodes::no_action) {
        if (action >= run_.actions.size()) throw std::logic_error("a plan with an unknown action");
        told.insert(told.end(), run_.actions.bits(action), run_.actions.bits(action) + action_words);
      }
    }
    ranks_.broadcast(owner, told);
    states[at].assign(told.data(), told.data() + words);
    if (action != RankNodes::no_action)
      actions[at].assign(told.data() + words + 2, told.data() + words + 2 + action_words);
    hash = told[words];
    action = static_cast<std::uint32_t>(told[words + 1]);
    if (at == 0) break;
  }
  std::vector<engines::PathStep> steps;
  for (std::uint32_t t = 0; t < horizon_; ++t)
    steps.push_back({states[t].data(), actions[t].data(), states[t + 1].data()});
  return run_.make_plan(steps, upper_);
}

}  // namespace bnnplan::ranks
