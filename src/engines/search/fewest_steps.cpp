// A plan has exactly as many steps as the horizon, so layer t would be all states that t steps can lead to.
// For the fewest steps it is enough to have each state in the first of its layers: if a walk of t steps to
// the goal passes a state that fewer steps lead to, there is a shorter walk. Only the initial states are not
// seen in layer 0, since the goal may be to come back.
#include "bnnplan/engines/search/fewest_steps.hpp"

#include <algorithm>
#include <span>

namespace bnnplan::engines {

bool FewestSteps::run(SearchRun& run, int most) {
  constexpr std::size_t evaluations = 16384;  // at once
  SuccessorGraph& graph = *run.graph;
  if (!started_) layer_ = run.initial_states();
  started_ = true;
  std::vector<StateId> incomplete;
  while (excluded_ < most) {
    if (done_ == layer_.size()) {
      layer_.swap(next_layer_);
      next_layer_.clear();
      done_ = 0;
      excluded_ = layer_.empty() ? most : excluded_ + 1;
      if (run.request.callbacks.horizon && excluded_ < most) run.request.callbacks.horizon(excluded_ + 1);
      continue;
    }
    const std::size_t count =
        std::clamp<std::size_t>(evaluations / run.actions.size(), 1, layer_.size() - done_);
    const std::span<const StateId> batch(layer_.data() + done_, count);
    while (true) {
      incomplete.clear();
      for (const StateId state : batch) {
        if (graph.alive(state) && run.actions.make_class(graph.classes(state))) incomplete.push_back(state);
      }
      if (incomplete.empty()) break;
      graph.expand(incomplete, bytes());
      run.check_limits(excluded_, bytes());
    }
    seen_.resize(graph.state_limit());
    for (const StateId state : batch) {
      for (std::uint32_t index = graph.first_block(state); index != no_index;
           index = graph.block(index).next_block) {
        const EdgeBlock& block = graph.block(index);
        for (std::uint64_t i = block.begin; i < block.begin + block.count; ++i) {
          const StateId next = graph.edge(i).next;
          if (graph.goal(next)) return true;
          if (!seen_[next]) next_layer_.push_back(next);
          seen_[next] = true;
        }
      }
    }
    done_ += count;
  }
  return false;
}

std::size_t FewestSteps::bytes() const {
  return (layer_.capacity() + next_layer_.capacity()) * sizeof(StateId) + seen_.capacity() / 8;
}

}  // namespace bnnplan::engines
