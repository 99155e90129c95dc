// Expansion in two parts. First, by all threads: for each (state, action) that passes the joint constraints
// the network's input is put together (state part or action part, one word operation), a few hundred at a
// time are evaluated, and what the network does not say is solved. Then, by one thread and in the order of
// the requests: the next states are numbered and the edges appended. So the graph does not depend on the
// number of threads, and inference, which is by far the larger part, runs on all of them.
//
// Where the problem refuses prefixes of plans, a state has the node of their trie as its last word: the graph
// is then that of the product of states and trie. Everything else need not know.
#include "engines/search/successor_graph.hpp"

#include <algorithm>
#include <stdexcept>

namespace bnnplan {

namespace {

constexpr std::size_t batch_evaluations = 256;
constexpr std::size_t pairs_ahead = 12;
constexpr std::size_t most_compared = 64;

}  // namespace

SuccessorGraph::SuccessorGraph(const PackedProblem& problem, ActionTable& actions, LimitWatch& watch)
    : problem_(problem),
      actions_(actions),
      watch_(watch),
      least_action_cost_(actions[0].cost),
      states_(problem.state_words),
      pool_(watch.limits().threads) {
  for (unsigned i = 0; i < pool_.size(); ++i) workers_.push_back(std::make_unique<Worker>(problem, watch));
}

StateId SuccessorGraph::add_state(const std::uint64_t* words) {
  const auto [id, is_new] = states_.insert(words);
  if (is_new) {
    StateRecord record{no_index, no_index, 0, 0, 0, 0, 0};
    record.alive = all_hold(problem_.state_constraints, nullptr, words) ? 1 : 0;
    record.goal = all_hold(problem_.goal, nullptr, words) ? 1 : 0;
    records_.push_back(record);
    if (!problem_.next_cost.empty()) {
      next_costs_.push_back(problem_.next_cost.evaluate(nullptr, nullptr, words) - problem_.least_next_cost);
    }
  }
  return id;
}

bool SuccessorGraph::expand(std::span<const StateId> states, std::size_t other_bytes) {
  make_batches(states);
  pool_.run(batch_count_,
            [&](unsigned worker, std::size_t item) { compute(*workers_[worker], states, batches_[item]); });
  std::size_t found = 0;
  for (std::size_t i = 0; i < batch_count_; ++i) {
    if (batches_[i].stopped) return false;
    found += batches_[i].pairs.size();
  }
  const std::size_t growth =
      states_.bytes_of_growth(found) + found * (sizeof(StateRecord) + sizeof(std::int64_t) + sizeof(Edge));
  if (watch_.exceeds_memory(bytes() + other_bytes + growth)) return false;
  for (std::size_t i = 0; i < batch_count_; ++i) {
    const Batch& batch = batches_[i];
    std::size_t position = 0;
    for (std::size_t request = batch.first_request; request < batch.end_request; ++request) {
      add_edges(states[request], static_cast<std::uint32_t>(request), batch, position);
    }
    evaluations_ += batch.evaluations;
  }
  return true;
}

// Consecutive requests, so many that a batch is worth a call of the network.
void SuccessorGraph::make_batches(std::span<const StateId> states) {
  batch_count_ = 0;
  std::size_t size = batch_evaluations;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (size >= batch_evaluations) {
      if (batch_count_ == batches_.size()) batches_.emplace_back();
      batches_[batch_count_++].first_request = i;
      size = 0;
    }
    batches_[batch_count_ - 1].end_request = i + 1;
    const ActionTable::ActionClass& actions = actions_[records_[states[i]].classes];
    size += actions.end - actions.begin;
  }
}

void SuccessorGraph::compute(Worker& worker, std::span<const StateId> states, Batch& batch) {
  batch.pairs.clear();
  batch.next.clear();
  batch.evaluations = 0;
  batch.stopped = true;
  if (watch_.should_stop()) return;
  const std::size_t input_words = problem_.network ? problem_.network->input_words() : 0;
  const std::size_t output_words = problem_.network ? problem_.network->output_words() : 0;
  worker.pairs.clear();
  worker.inputs.clear();
  for (std::size_t request = batch.first_request; request < batch.end_request; ++request) {
    const std::uint64_t* state = states_[states[request]];
    worker.state_inputs.assign(input_words, 0);
    if (problem_.network) problem_.state_to_input.apply(state, worker.state_inputs.data());
    const ActionTable::ActionClass& actions = actions_[records_[states[request]].classes];
    const RefusedTrie::Node node = trie_node(state);
    for (ActionId action = actions.begin; action < actions.end; ++action) {
      if (!all_hold(problem_.joint_constraints, actions_.bits(action), state)) continue;
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
  if (problem_.network) {
    worker.outputs.resize(worker.pairs.size() * output_words);
    problem_.network->evaluate(worker.inputs.data(), worker.pairs.size(), worker.outputs.data(),
                               worker.workspace);
  }
  batch.evaluations = worker.pairs.size();
  worker.learned.resize(problem_.state_words);
  const bool trivial = worker.steps.trivial(), follows_prefixes = !problem_.refused.empty();
  for (std::size_t i = 0; i < worker.pairs.size(); ++i) {
    const Pair pair = worker.pairs[i];
    std::fill(worker.learned.begin(), worker.learned.end(), 0);
    if (follows_prefixes) {
      const RefusedTrie::Node node = trie_node(states_[states[pair.request]]);
      worker.learned.back() = problem_.refused.after(node, actions_.bits(pair.action));
    }
    if (problem_.network) {
      problem_.output_to_next.apply(worker.outputs.data() + i * output_words, worker.learned.data());
    }
    const std::size_t before = batch.next.size();
    if (trivial) {
      batch.next.insert(batch.next.end(), worker.learned.begin(), worker.learned.end());
    } else if (!worker.steps.append_successors(states_[states[pair.request]], actions_.bits(pair.action),
                                               worker.learned.data(), batch.next)) {
      return;
    }
    std::size_t kept = before;
    for (std::size_t at = before; at < batch.next.size(); at += problem_.state_words) {
      const std::uint64_t* next = batch.next.data() + at;
      if (!all_hold(problem_.state_constraints, nullptr, next) && !all_hold(problem_.goal, nullptr, next)) {
        continue;
      }
      std::copy_n(next, problem_.state_words, batch.next.data() + kept);
      kept += problem_.state_words;
      batch.pairs.push_back(pair);
    }
    batch.next.resize(kept);
  }
  batch.stopped = false;
}

void SuccessorGraph::add_edges(StateId state, std::uint32_t request, const Batch& batch,
                               std::size_t& position) {
  // The next states that have an edge already. A few are compared one by one; marks are far away in memory.
  seen_.clear();
  for (std::uint32_t index = records_[state].first_block; index != no_index;
       index = blocks_[index].next_block) {
    const EdgeBlock& block = blocks_[index];
    for (std::uint64_t i = block.begin; i < block.begin + block.count; ++i) seen_.push_back(edges_[i].next);
  }
  const ActionTable::ActionClass& actions = actions_[records_[state].classes];
  const bool few = seen_.size() + (actions.end - actions.begin) <= most_compared;
  if (!few) {
    clear_marks();
    for (const StateId next : seen_) mark(next);
  }
  const auto is_first = [&](StateId next) {
    if (!few) return mark(next);
    if (std::find(seen_.begin(), seen_.end(), next) != seen_.end()) return false;
    seen_.push_back(next);
    return true;
  };
  const auto index = static_cast<std::uint32_t>(blocks_.size());
  const std::uint64_t begin = edges_.size();
  while (position < batch.pairs.size() && batch.pairs[position].request == request) {
    if (const std::size_t later = position + pairs_ahead; later < batch.pairs.size()) {
      states_.prefetch(batch.next.data() + later * problem_.state_words);
    }
    const StateId next = add_state(batch.next.data() + position * problem_.state_words);
    const Edge edge{next, batch.pairs[position].action};
    ++position;
    if (!is_first(next)) continue;
    edges_.push_back(edge);
    if (next == state && extra_cost(edge) == 0) records_[state].waits = 1;
  }
  blocks_.push_back({begin, static_cast<std::uint32_t>(edges_.size() - begin), no_index});
  StateRecord& record = records_[state];
  if (record.first_block == no_index) {
    record.first_block = index;
  } else {
    blocks_[record.last_block].next_block = index;
  }
  record.last_block = index;
  ++record.classes;
}

Edge SuccessorGraph::edge_between(StateId from, StateId to) const {
  for (std::uint32_t index = first_block(from); index != no_index; index = blocks_[index].next_block) {
    const EdgeBlock& block = blocks_[index];
    for (std::uint64_t i = block.begin; i < block.begin + block.count; ++i) {
      if (edges_[i].next == to) return edges_[i];
    }
  }
  throw std::logic_error("no edge between two states of a plan");
}

void SuccessorGraph::clear_marks() {
  if (++current_mark_ != 0) return;
  for (StateId state = 0; state < records_.size(); ++state) records_[state].mark = 0;
  current_mark_ = 1;
}

bool SuccessorGraph::mark(StateId state) {
  if (records_[state].mark == current_mark_) return false;
  records_[state].mark = current_mark_;
  return true;
}

std::size_t SuccessorGraph::bytes() const {
  return states_.bytes() + records_.bytes() + next_costs_.bytes() + blocks_.bytes() + edges_.bytes() +
         actions_.bytes();
}

}  // namespace bnnplan
