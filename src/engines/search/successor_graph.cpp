// Expansion in three parts. First, all threads compute the successors (successors.cpp). Then they are
// numbered, again by all threads, each in its own shards and in the order of the requests. Last, one thread
// appends the edges in the same order. So the graph does not depend on the number of threads.
//
// If the problem refuses prefixes of plans, a state has the node of their trie as its last word: the graph is
// then that of the product of states and trie. No other code needs to know.
#include "bnnplan/engines/search/successor_graph.hpp"

#include <algorithm>
#include <stdexcept>

namespace bnnplan::engines {

namespace {

constexpr std::size_t pairs_ahead = 12;
constexpr std::size_t pairs_to_share = 1024;  // with fewer, one thread is faster
constexpr std::size_t most_compared = 64;

}  // namespace

SuccessorGraph::SuccessorGraph(const PackedProblem& problem, const CanonicalStates& symmetry,
                               ActionTable& actions, LimitWatch& watch)
    : problem_(problem),
      symmetry_(symmetry),
      actions_(actions),
      watch_(watch),
      least_action_cost_(actions[0].cost),
      successors_(problem, symmetry, actions, watch),
      two_last_steps_(problem, symmetry, actions, successors_, watch),
      pool_(watch.limits().threads) {
  shards_.reserve(shard_count);
  for (std::uint32_t i = 0; i < shard_count; ++i) shards_.emplace_back(problem.state_words);
  for (unsigned i = 0; i < pool_.size(); ++i) workers_.push_back(std::make_unique<Worker>(problem, watch));
}

StateId SuccessorGraph::add_state(const std::uint64_t* words) {
  const std::uint64_t hash = hash_of(words);
  const std::size_t before = shards_[shard_of(hash)].states.size();
  const StateId id = insert(words, hash);
  if (id / shard_count == before) {
    ++state_count_;
    state_limit_ = std::max(state_limit_, id + 1);
  }
  return id;
}

// Different threads may insert into different shards.
StateId SuccessorGraph::insert(const std::uint64_t* words, std::uint64_t hash) {
  const std::uint32_t number = shard_of(hash);
  Shard& shard = shards_[number];
  const auto [id, is_new] = shard.states.insert(words, hash);
  if (id >= no_index / shard_count) throw std::length_error("more than 2^32 states");
  if (is_new) {
    StateRecord record{no_index, no_index, 0, 0, 0, 0, 0};
    record.alive = problem_.state_constraints.hold(words) ? 1 : 0;
    record.goal = problem_.goal.hold(words) ? 1 : 0;
    shard.records.push_back(record);
    if (!problem_.next_cost.empty()) {
      shard.next_costs.push_back(problem_.next_cost.evaluate(nullptr, nullptr, words) -
                                 problem_.least_next_cost);
    }
  }
  return id * shard_count + number;
}

// Inserts the next states of all batches. If there are many, each thread has a range of shards.
void SuccessorGraph::insert_all(std::size_t found) {
  const std::uint32_t threads =
      found < pairs_to_share ? 1 : std::min<std::uint32_t>(pool_.size(), shard_count);
  if (threads == 1) {
    insert_into(0, 1);
  } else {
    pool_.run(threads,
              [&](unsigned, std::size_t item) { insert_into(static_cast<std::uint32_t>(item), threads); });
  }
  count_states();
}

// Inserts into one of `ranges` ranges of shards.
void SuccessorGraph::insert_into(std::uint32_t range, std::uint32_t ranges) {
  const auto is_own = [&](std::uint64_t hash) { return shard_of(hash) * ranges / shard_count == range; };
  for (std::size_t i = 0; i < batch_count_; ++i) {
    Batch& batch = batches_[i];
    for (std::size_t at = 0; at < batch.hashes.size(); ++at) {
      if (const std::size_t later = at + pairs_ahead; later < batch.hashes.size()) {
        const std::uint64_t hash = batch.hashes[later];
        if (is_own(hash)) shards_[shard_of(hash)].states.prefetch(hash);
      }
      if (!is_own(batch.hashes[at])) continue;
      batch.ids[at] = insert(batch.next.data() + at * problem_.state_words, batch.hashes[at]);
    }
  }
}

void SuccessorGraph::count_states() {
  state_count_ = 0;
  state_limit_ = 0;
  for (std::uint32_t i = 0; i < shard_count; ++i) {
    const std::size_t size = shards_[i].states.size();
    state_count_ += size;
    if (size > 0)
      state_limit_ = std::max(state_limit_, static_cast<StateId>((size - 1) * shard_count + i + 1));
  }
}

void SuccessorGraph::Questions::clear() {
  expand.clear();
  last.clear();
  last_two.clear();
}

void SuccessorGraph::answer(const Questions& questions, std::size_t other_bytes, Answers& answers) {
  answer(questions.expand, questions.last, questions.last_two, other_bytes, answers);
}

void SuccessorGraph::expand(std::span<const StateId> states, std::size_t other_bytes) {
  answer(states, {}, {}, other_bytes, no_answers_);
}

void SuccessorGraph::answer(std::span<const StateId> expand, std::span<const LastStep> last,
                            std::span<const LastTwoSteps> last_two, std::size_t other_bytes,
                            Answers& answers) {
  requests_.clear();
  for (const StateId state : expand) requests_.push_back(request(state, record(state).classes));
  for (const LastStep& step : last) requests_.push_back(request(step.state, step.action_class));
  batch_count_ = Successors::make_batches(requests_, expand.size(), batches_);
  two_questions_.clear();
  for (const LastTwoSteps& steps : last_two)
    two_questions_.push_back({words(steps.state), steps.first_class, steps.second_class});
  two_last_steps_.ask(two_questions_);
  compute_all();
  std::size_t found = 0;
  for (std::size_t i = 0; i < batch_count_; ++i) found += batches_[i].pairs.size();
  std::size_t growth = found * (sizeof(StateRecord) + sizeof(std::int64_t) + sizeof(Edge));
  for (const Shard& shard : shards_) growth += shard.states.bytes_of_growth(2 * found / shard_count);
  watch_.check_memory(bytes() + other_bytes + growth);

  insert_all(found);
  answers.last.assign(last.size(), {no_index, 0});
  answers.last_two.assign(last_two.size(), {{no_index, 0}, {no_index, 0}, 0});
  for (std::size_t i = 0; i < batch_count_; ++i) {
    const Batch& batch = batches_[i];
    evaluations_ += batch.evaluations;
    if (batch.last) {
      add_last_edges(batch, expand.size(), answers.last);
      continue;
    }
    std::size_t position = 0;
    for (std::size_t request = batch.first_request; request < batch.end_request; ++request) {
      add_edges(expand[request], static_cast<std::uint32_t>(request), batch, position);
    }
  }
  add_last_two_edges(answers.last_two);
}

// Computes all parts and batches, by all threads.
void SuccessorGraph::compute_all() {
  successors_.note_actions();
  const std::size_t parts = two_last_steps_.part_count();
  pool_.run(parts + batch_count_, [&](unsigned worker, std::size_t item) {
    if (item < parts) {
      two_last_steps_.compute(*workers_[worker], item);
    } else {
      compute(*workers_[worker], requests_, batches_[item - parts]);
    }
  });
}

void SuccessorGraph::compute(Worker& worker, std::span<const Request> requests, Batch& batch) const {
  batch.hashes.clear();
  successors_.compute(worker, requests, batch);
  if (batch.last) return;
  for (std::size_t i = 0; i < batch.pairs.size(); ++i) {
    batch.hashes.push_back(hash_of(batch.next.data() + i * problem_.state_words));
  }
  batch.ids.resize(batch.pairs.size());
}

// The cheapest edge of each request; that of the first one is edges[0].
void SuccessorGraph::add_last_edges(const Batch& batch, std::size_t first_request, std::vector<Edge>& edges) {
  std::int64_t best_cost = 0;
  for (std::size_t at = 0; at < batch.pairs.size(); ++at) {
    const std::uint64_t* next = batch.next.data() + at * problem_.state_words;
    const Pair pair = batch.pairs[at];
    const bool first = at == 0 || batch.pairs[at - 1].request != pair.request;
    const std::int64_t cost =
        actions_.cost(pair.action) + problem_.next_cost.evaluate(nullptr, nullptr, next);
    if (!first && cost >= best_cost) continue;
    best_cost = cost;
    edges[pair.request - first_request] = {add_state(next), pair.action};
  }
}

void SuccessorGraph::add_last_two_edges(std::vector<LastTwoEdges>& edges) {
  two_ways_.assign(edges.size(), nullptr);
  for (std::size_t i = 0; i < two_last_steps_.part_count(); ++i) {
    const TwoLastSteps::Found& found = two_last_steps_.found(i);
    evaluations_ += found.evaluations;
    forgotten_evaluations_ += found.evaluations;
    sampled_ += found.sample.size();
    sample_.insert(found.sample.begin(), found.sample.end());
    for (const TwoLastSteps::Way& way : found.ways) {
      const TwoLastSteps::Way*& best = two_ways_[way.question];
      if (best == nullptr || way < *best) best = &way;
    }
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (const TwoLastSteps::Way* way = two_ways_[i])
      edges[i] = {{add_state(way->between()), way->first}, {add_state(way->next()), way->last}, way->cost};
  }
}

void SuccessorGraph::add_edges(StateId state, std::uint32_t request, const Batch& batch,
                               std::size_t& position) {
  // The next states that already have an edge. A few are compared one by one; marks are far away in memory.
  seen_.clear();
  for (std::uint32_t index = first_block(state); index != no_index; index = blocks_[index].next_block) {
    const EdgeBlock& block = blocks_[index];
    for (std::uint64_t i = block.begin; i < block.begin + block.count; ++i) seen_.push_back(edges_[i].next);
  }
  const ActionTable::ActionClass& actions = actions_[classes(state)];
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
  const std::uint64_t begin = edges_.size();
  while (position < batch.pairs.size() && batch.pairs[position].request == request) {
    const StateId next = batch.ids[position];
    const Edge edge{next, batch.pairs[position].action};
    ++position;
    if (!is_first(next)) continue;
    edges_.push_back(edge);
    if (next == state && extra_cost(edge) == 0) record(state).waits = 1;
  }
  append_block(state, begin);
}

// The edges from `begin` on are those of the state's next class of actions.
void SuccessorGraph::append_block(StateId state, std::uint64_t begin) {
  const auto index = static_cast<std::uint32_t>(blocks_.size());
  blocks_.push_back({begin, static_cast<std::uint32_t>(edges_.size() - begin), no_index});
  StateRecord& of = record(state);
  if (of.first_block == no_index) {
    of.first_block = index;
  } else {
    blocks_[of.last_block].next_block = index;
  }
  of.last_block = index;
  ++of.classes;
}

Edge SuccessorGraph::edge_between(StateId from, StateId to) const {
  for (std::uint32_t index = first_block(from); index != no_index; index = blocks_[index].next_block) {
    const EdgeBlock& block = blocks_[index];
    for (std::uint64_t i = block.begin; i < block.begin + block.count; ++i) {
      if (edges_[i].next == to) return edges_[i];
    }
  }
  const auto last = last_edges_.find({from, to});
  if (last == last_edges_.end()) throw std::logic_error("no edge between two states of a plan");
  return {to, last->second};
}

void SuccessorGraph::clear_marks() {
  if (++current_mark_ != 0) return;
  for (StateId state = 0; state < state_limit_; ++state) {
    if (exists(state)) record(state).mark = 0;
  }
  current_mark_ = 1;
}

bool SuccessorGraph::mark(StateId state) {
  if (record(state).mark == current_mark_) return false;
  record(state).mark = current_mark_;
  return true;
}

std::size_t SuccessorGraph::bytes() const {
  std::size_t bytes = blocks_.bytes() + edges_.bytes() + actions_.bytes() + successors_.bytes();
  for (const Shard& shard : shards_) {
    bytes += shard.states.bytes() + shard.records.bytes() + shard.next_costs.bytes();
  }
  return bytes;
}

}  // namespace bnnplan::engines
