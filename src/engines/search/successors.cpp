// For each (state, action) that passes the joint constraints the network's input is assembled (state part or
// action part, one word operation), a few hundred at a time are evaluated, and what the network does not give
// is computed by the step program, or solved where that leaves a choice. Nothing here changes a graph:
// successor_graph.cpp numbers what was found.
#include "bnnplan/engines/search/successors.hpp"

#include <algorithm>

namespace bnnplan::engines {

namespace {

// Per class: fewer are evaluated faster than filtered.
constexpr std::size_t actions_to_filter = 512;

}  // namespace

Successors::Successors(const PackedProblem& problem, const CanonicalStates& symmetry,
                       const ActionTable& actions, LimitWatch& watch)
    : problem_(problem), symmetry_(symmetry), actions_(actions), watch_(watch), program_(problem) {}

// Computes what symmetry needs for the actions made since the last call.
void Successors::note_actions() {
  if (symmetry_.empty()) return;
  Words scratch;
  for (auto action = static_cast<ActionId>(descending_blocks_.size()); action < actions_.size(); ++action) {
    descending_blocks_.push_back(symmetry_.descending_blocks(actions_.bits(action), scratch));
  }
}

void Successors::compute(Worker& worker, std::span<const Request> requests, Batch& batch) const {
  batch.pairs.clear();
  batch.next.clear();
  batch.evaluations = 0;
  watch_.check_time();
  make_pairs(worker, requests, batch);
  if (problem_.network) {
    worker.outputs.resize(worker.pairs.size() * problem_.network->output_words());
    problem_.network->evaluate(worker.inputs.data(), worker.pairs.size(), worker.outputs.data(),
                               worker.workspace);
  }
  batch.evaluations = worker.pairs.size();
  solve_steps(worker, requests, batch);
  if (!symmetry_.empty()) {
    for (std::size_t at = 0; at < batch.next.size(); at += problem_.state_words) {
      symmetry_.make_canonical(batch.next.data() + at, worker.blocks);
    }
  }
}

// The pairs of state and action that the joint constraints and the refused prefixes allow (and, if actions
// are many, the conditions on the next state), and the network inputs for them. Without a network the step
// program checks these constraints as well, faster.
void Successors::make_pairs(Worker& worker, std::span<const Request> requests, const Batch& batch) const {
  const std::size_t input_words = problem_.network ? problem_.network->input_words() : 0;
  const bool looks_at_constraints =
      !problem_.joint_constraints.empty() && (problem_.network || !program_.useful());
  worker.pairs.clear();
  worker.inputs.clear();
  for (std::size_t request = batch.first_request; request < batch.end_request; ++request) {
    const Request& actions = requests[request];
    const std::uint64_t* state = actions.state;
    worker.state_inputs.assign(input_words, 0);
    if (problem_.network) problem_.state_to_input.apply(state, worker.state_inputs.data());
    const RefusedTrie::Node node = trie_node(state);
    const std::uint64_t equal_blocks = symmetry_.empty() ? 0 : symmetry_.equal_blocks(state, worker.blocks);
    const bool filtered = !worker.steps.trivial() && actions.end - actions.begin >= actions_to_filter;
    if (filtered && !worker.filter) worker.filter.emplace(problem_, watch_);
    if (filtered && !worker.filter->set_state(state, batch.last)) continue;
    for (ActionId action = actions.begin; action < actions.end; ++action) {
      if (equal_blocks != 0 && (equal_blocks & descending_blocks_[action]) != 0) continue;
      if (filtered && !worker.filter->passes(actions_.bits(action))) continue;
      if (looks_at_constraints && !all_hold(problem_.joint_constraints, actions_.bits(action), state))
        continue;
      if (node != RefusedTrie::outside &&
          problem_.refused.after(node, actions_.bits(action)) == RefusedTrie::refused) {
        continue;
      }
      worker.pairs.push_back({static_cast<std::uint32_t>(request), action});
      const std::uint64_t* action_inputs = actions_.inputs(action);
      for (std::size_t i = 0; i < input_words; ++i) {
        worker.inputs.push_back(worker.state_inputs[i] | action_inputs[i]);
      }
    }
  }
}

// What is known about a pair's next state before the step is solved.
void Successors::make_learned(Worker& worker, const std::uint64_t* state, std::size_t pair,
                              std::uint64_t* learned) const {
  std::fill_n(learned, problem_.state_words, 0);
  if (!problem_.refused.empty()) {
    const RefusedTrie::Node node = trie_node(state);
    learned[problem_.state_words - 1] =
        problem_.refused.after(node, actions_.bits(worker.pairs[pair].action));
  }
  if (problem_.network) {
    problem_.output_to_next.apply(worker.outputs.data() + pair * problem_.network->output_words(), learned);
  }
}

// The next states of all pairs, in their order.
void Successors::solve_steps(Worker& worker, std::span<const Request> requests, Batch& batch) const {
  const std::size_t words = problem_.state_words;
  worker.learned.resize(lane_count * words);
  for (std::size_t first = 0; first < worker.pairs.size(); first += lane_count) {
    const std::size_t count = std::min(lane_count, worker.pairs.size() - first);
    worker.lane_pairs.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const Pair pair = worker.pairs[first + i];
      const std::uint64_t* state = requests[pair.request].state;
      std::uint64_t* learned = worker.learned.data() + i * words;
      make_learned(worker, state, first + i, learned);
      if (program_.useful()) worker.lane_pairs.push_back({state, actions_.bits(pair.action), learned});
    }
    if (program_.useful()) program_.run(worker.lane_pairs, worker.lanes);
    for (std::size_t i = 0; i < count; ++i) {
      const Pair pair = worker.pairs[first + i];
      if (program_.useful() && !worker.lanes.open(i)) {
        if (!worker.lanes.single(i)) continue;
        const std::uint64_t* next = worker.lanes.next(i);
        if (batch.last && !problem_.goal.hold(next)) continue;
        batch.next.insert(batch.next.end(), next, next + words);
        batch.pairs.push_back(pair);
      } else {
        solve_step(worker, requests[pair.request].state, pair, worker.learned.data() + i * words, batch);
      }
    }
  }
}

void Successors::solve_step(Worker& worker, const std::uint64_t* state, Pair pair,
                            const std::uint64_t* learned, Batch& batch) const {
  const std::size_t before = batch.next.size(), words = problem_.state_words;
  const auto of_use = [&](const std::uint64_t* next) {
    return (!batch.last && problem_.state_constraints.hold(next)) || problem_.goal.hold(next);
  };
  if (worker.steps.trivial()) {
    if (!of_use(learned)) return;
    batch.next.insert(batch.next.end(), learned, learned + words);
    batch.pairs.push_back(pair);
    return;
  }
  worker.steps.append_successors(state, actions_.bits(pair.action), learned, batch.next);
  std::size_t kept = before;
  for (std::size_t at = before; at < batch.next.size(); at += words) {
    const std::uint64_t* next = batch.next.data() + at;
    if (!of_use(next)) continue;
    std::copy_n(next, words, batch.next.data() + kept);
    kept += words;
    batch.pairs.push_back(pair);
  }
  batch.next.resize(kept);
}

}  // namespace bnnplan::engines
