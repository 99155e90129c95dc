// The Bellman recursion over the number k of steps left,
//
//   V_0(s) = 0 if s satisfies the goal, else infinite
//   V_k(s) = min over edges (s, s', c) of  w c + V_(k-1)(s'),  w the weight of step H - k + 1, mostly 1
//
// as one pass over a flat array of edges per layer. Backwards rather than forwards: it reads and never
// scatters, and the plan is then followed forwards along edges that are at hand.
//
// Memory. Keeping every layer would take horizon * states numbers. If that is too much, every second kept
// layer is dropped, and the layers between two kept ones are recomputed when the plan is followed; twice the
// time for the square root of the memory.
//
// Repetition. Sequences of such layers repeat in the end, V_(k+p) = V_k + c, unless parts of the graph differ
// in their cheapest cycle (Cohen, Dubois, Quadrat, Viot: a linear-system-theoretic view of discrete-event
// processes, 1985). It is found as in Brent's algorithm: each layer is compared with the one at the last
// power of two, which mostly ends at the first state. From then on no layer has to be computed.
#include "bnnplan/engines/search/layers.hpp"

#include <algorithm>
#include <bit>

namespace bnnplan::engines {

namespace {

constexpr std::int64_t infinite = std::int64_t{1} << 62;
constexpr std::size_t evaluations_at_once = 16384;

std::int64_t plus(std::int64_t value, std::int64_t added) {
  return value >= infinite ? infinite : value + added;
}

}  // namespace

LayeredSearch::LayeredSearch(SearchRun& run) : run_(run), graph_(*run.graph) {}

LayeredSearch::End LayeredSearch::run(std::span<const StateId> initial, Closing& closing) {
  const End closed = close_graph(closing);
  if (closed != End::finished) return closed;
  flatten_graph();
  Values before, current = first_layer();
  keep(0, current);
  for (int k = 1; k <= run_.problem.horizon && period_ == 0; ++k) {
    before.swap(current);
    compute_layer(k, before, current);
    ++layers_computed_;
    keep(k, current);
    if (!run_.weights.empty()) {  // layers of different weights do not repeat
    } else if (const auto difference = difference_to_reference(current)) {
      period_start_ = reference_layer_;
      period_ = k - reference_layer_;
      period_cost_ = *difference;
    } else if (std::has_single_bit(static_cast<unsigned>(k))) {
      reference_ = current;
      reference_layer_ = k;
    }
    if (period_ == 0) run_.check_limits(run_.problem.horizon - k, bytes());
  }
  std::int64_t added = 0;
  const Values& last = layer(run_.problem.horizon, added);
  std::uint32_t best = no_index;
  for (const StateId state : initial) {
    const std::uint32_t place = place_[state];
    if (last[place] < infinite && (best == no_index || last[place] < last[best])) best = place;
  }
  if (best == no_index) return End::finished;
  extra_cost_ = last[best] + added;
  run_.raise_lower(extra_cost_);
  follow_plan(best);
  run_.improve(extra_cost_, path_);
  return End::finished;
}

// Computes all edges of all reachable states, one class of actions per pass.
LayeredSearch::End LayeredSearch::close_graph(Closing& closing) {
  std::vector<StateId> batch;
  while (true) {
    if (closing.next >= graph_.state_limit()) {
      if (!closing.changed) return End::finished;
      closing.next = 0;
      closing.changed = false;
    }
    batch.clear();
    StateId state = closing.next;
    for (std::size_t evaluations = 0; state < graph_.state_limit() && evaluations < evaluations_at_once;
         ++state) {
      if (!graph_.exists(state) || !graph_.alive(state)) continue;
      if (!run_.actions.make_class(graph_.classes(state))) continue;
      const ActionTable::ActionClass& actions = run_.actions[graph_.classes(state)];
      evaluations += actions.end - actions.begin;
      batch.push_back(state);
    }
    graph_.expand(batch, bytes());
    closing.next = state;
    if (batch.empty()) continue;
    closing.changed = true;
    run_.check_limits(0, bytes());
    if (graph_.state_count() > closing.most_states) return End::too_large;
  }
}

void LayeredSearch::flatten_graph() {
  place_.assign(graph_.state_limit(), no_index);
  for (StateId state = 0; state < graph_.state_limit(); ++state) {
    if (!graph_.exists(state)) continue;
    place_[state] = static_cast<std::uint32_t>(states_.size());
    states_.push_back(state);
  }
  first_edge_.assign(1, 0);
  for (const StateId state : states_) {
    for (std::uint32_t index = graph_.first_block(state); index != no_index;
         index = graph_.block(index).next_block) {
      const EdgeBlock& block = graph_.block(index);
      for (std::uint64_t i = block.begin; i < block.begin + block.count; ++i) {
        next_.push_back(place_[graph_.edge(i).next]);
        cost_.push_back(graph_.extra_cost(graph_.edge(i)));
      }
    }
    first_edge_.push_back(next_.size());
  }
}

LayeredSearch::Values LayeredSearch::first_layer() const {
  Values layer;
  for (const StateId state : states_) layer.push_back(graph_.goal(state) ? 0 : infinite);
  return layer;
}

void LayeredSearch::compute_layer(int steps_left, const Values& before, Values& layer) const {
  layer.resize(before.size());
  const std::int64_t weight = weight_of(steps_left);
  for (std::size_t state = 0; state < before.size(); ++state) {
    std::int64_t best = infinite;  // states in which no step may start have no edges
    for (std::uint64_t i = first_edge_[state]; i < first_edge_[state + 1]; ++i) {
      best = std::min(best, plus(before[next_[i]], weight * cost_[i]));
    }
    layer[state] = best;
  }
}

void LayeredSearch::keep(int steps_left, const Values& layer) {
  if (steps_left % spacing_ != 0) return;
  const std::size_t layer_bytes = layer.size() * sizeof(std::int64_t);
  const std::size_t most = std::max<std::size_t>(run_.request.limits.memory_bytes / 8, 16 * layer_bytes);
  if ((kept_.size() + 1) * layer_bytes > most) {
    spacing_ *= 2;
    std::erase_if(kept_, [&](const auto& entry) { return entry.first % spacing_ != 0; });
    if (steps_left % spacing_ != 0) return;
  }
  kept_.emplace(steps_left, layer);
}

// The cost by which this layer differs from the reference in every state; nothing if there is no such cost.
std::optional<std::int64_t> LayeredSearch::difference_to_reference(const Values& layer) const {
  if (reference_.empty()) return std::nullopt;
  std::optional<std::int64_t> difference;
  for (std::size_t state = 0; state < layer.size(); ++state) {
    if ((layer[state] >= infinite) != (reference_[state] >= infinite)) return std::nullopt;
    if (layer[state] >= infinite) continue;
    if (!difference) difference = layer[state] - reference_[state];
    if (layer[state] - reference_[state] != *difference) return std::nullopt;
  }
  return difference.value_or(0);
}

// A layer's values, up to a cost to be added to all of them. Valid until the next call.
const LayeredSearch::Values& LayeredSearch::layer(int steps_left, std::int64_t& added) {
  added = 0;
  if (period_ > 0 && steps_left > period_start_) {
    const int beyond = steps_left - period_start_;
    added = beyond / period_ * period_cost_;
    steps_left = period_start_ + beyond % period_;
  }
  if (const auto found = kept_.find(steps_left); found != kept_.end()) return found->second;
  if (const auto found = segment_.find(steps_left); found != segment_.end()) return found->second;
  segment_.clear();
  const int from = steps_left - steps_left % spacing_;
  const Values* before = &kept_.at(from);
  for (int k = from + 1; k < from + spacing_; ++k) {
    Values& values = segment_[k];
    compute_layer(k, *before, values);
    before = &values;
  }
  return segment_.at(steps_left);
}

void LayeredSearch::follow_plan(std::uint32_t first) {
  path_.assign(1, states_[first]);
  std::uint32_t place = first;
  std::int64_t rest = extra_cost_;
  for (int k = run_.problem.horizon; k > 0; --k) {
    if (k % 1024 == 0) run_.watch.check_time();
    std::int64_t added = 0;
    const Values& after = layer(k - 1, added);
    for (std::uint64_t i = first_edge_[place]; i < first_edge_[place + 1]; ++i) {
      const std::int64_t cost = weight_of(k) * cost_[i];
      if (after[next_[i]] >= infinite || cost + after[next_[i]] + added != rest) continue;
      rest -= cost;
      place = next_[i];
      path_.push_back(states_[place]);
      break;
    }
  }
}

std::size_t LayeredSearch::bytes() const {
  const std::size_t layer_bytes = (first_edge_.empty() ? 0 : first_edge_.size()) * sizeof(std::int64_t);
  return next_.capacity() * (sizeof(std::uint32_t) + sizeof(std::int64_t)) +
         (states_.capacity() + place_.capacity()) * sizeof(std::uint32_t) +
         layer_bytes * (kept_.size() + segment_.size() + 4);
}

}  // namespace bnnplan::engines
