// Expansion in two parts. First, by all threads: for each (state, action) that passes the joint constraints
// the network's input is put together (state part or action part, one word operation), a few hundred at a
// time are evaluated, and what the network does not say is computed by the step program, or solved where it
// leaves a choice. Then, by one thread and in the order of the requests: the next states are numbered and the
// edges appended. So the graph does not depend on the number of threads, and inference runs on all of them.
//
// Where the problem refuses prefixes of plans, a state has the node of their trie as its last word: the graph
// is then that of the product of states and trie. Everything else need not know.
#include "engines/search/successor_graph.hpp"

#include <algorithm>
#include <stdexcept>

namespace bnnplan {

namespace {

constexpr std::size_t batch_evaluations = 256;
constexpr std::size_t part_evaluations = std::size_t{1} << 14;  // of two last steps, by one thread at a time
constexpr std::size_t pairs_ahead = 12;
constexpr std::size_t actions_to_filter = 512;  // in a class: less is evaluated faster than filtered
constexpr std::size_t most_compared = 64;

}  // namespace

SuccessorGraph::SuccessorGraph(const PackedProblem& problem, ActionTable& actions, LimitWatch& watch)
    : problem_(problem),
      actions_(actions),
      watch_(watch),
      least_action_cost_(actions[0].cost),
      program_(problem),
      states_(problem.state_words),
      pool_(watch.limits().threads) {
  for (unsigned i = 0; i < pool_.size(); ++i) workers_.push_back(std::make_unique<Worker>(problem, watch));
}

StateId SuccessorGraph::add_state(const std::uint64_t* words) {
  const auto [id, is_new] = states_.insert(words);
  if (is_new) {
    StateRecord record{no_index, no_index, 0, 0, 0, 0, 0};
    record.alive = problem_.state_constraints.hold(words) ? 1 : 0;
    record.goal = problem_.goal.hold(words) ? 1 : 0;
    records_.push_back(record);
    if (!problem_.next_cost.empty()) {
      next_costs_.push_back(problem_.next_cost.evaluate(nullptr, nullptr, words) - problem_.least_next_cost);
    }
  }
  return id;
}

bool SuccessorGraph::expand(std::span<const StateId> states, std::size_t other_bytes) {
  requests_.clear();
  for (const StateId state : states) requests_.push_back(request(state, records_[state].classes));
  if (!compute_requests(false)) return false;
  std::size_t found = 0;
  for (std::size_t i = 0; i < batch_count_; ++i) found += batches_[i].pairs.size();
  const std::size_t growth =
      states_.bytes_of_growth(found) + found * (sizeof(StateRecord) + sizeof(std::int64_t) + sizeof(Edge));
  if (watch_.exceeds_memory(bytes() + other_bytes + growth)) return false;
  for (std::size_t i = 0; i < batch_count_; ++i) {
    const Batch& batch = batches_[i];
    std::size_t position = 0;
    for (std::size_t request = batch.first_request; request < batch.end_request; ++request) {
      add_edges(states[request], static_cast<std::uint32_t>(request), batch, position);
    }
  }
  return true;
}

bool SuccessorGraph::find_last_edges(std::span<const LastStep> steps, std::size_t other_bytes,
                                     std::vector<Edge>& edges) {
  edges.assign(steps.size(), {no_index, 0});
  if (steps.empty()) return true;
  requests_.clear();
  for (const LastStep& step : steps) requests_.push_back(request(step.state, step.action_class));
  if (!compute_requests(true)) return false;
  std::size_t found = 0;
  for (std::size_t i = 0; i < batch_count_; ++i) found += batches_[i].pairs.size();
  if (found == 0) return true;
  const std::size_t growth =
      states_.bytes_of_growth(found) + found * (sizeof(StateRecord) + sizeof(std::int64_t));
  if (watch_.exceeds_memory(bytes() + other_bytes + growth)) return false;
  for (std::size_t i = 0; i < batch_count_; ++i) {
    const Batch& batch = batches_[i];
    std::int64_t best_cost = 0;
    for (std::size_t at = 0; at < batch.pairs.size(); ++at) {
      const std::uint64_t* next = batch.next.data() + at * problem_.state_words;
      const Pair pair = batch.pairs[at];
      const bool first = at == 0 || batch.pairs[at - 1].request != pair.request;
      const std::int64_t cost =
          actions_.cost(pair.action) + problem_.next_cost.evaluate(nullptr, nullptr, next);
      if (!first && cost >= best_cost) continue;
      best_cost = cost;
      edges[pair.request] = {add_state(next), pair.action};
    }
  }
  return true;
}

bool SuccessorGraph::find_last_two_edges(std::span<const LastTwoSteps> steps, std::size_t other_bytes,
                                         std::vector<LastTwoEdges>& edges) {
  edges.assign(steps.size(), {{no_index, 0}, {no_index, 0}, 0});
  if (steps.empty()) return true;
  parts_.clear();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Request whole = request(steps[i].state, steps[i].first_class);
    const ActionTable::ActionClass& second = actions_[steps[i].second_class];
    const auto most =
        static_cast<ActionId>(std::max<std::size_t>(1, part_evaluations / (second.end - second.begin)));
    for (ActionId begin = whole.begin; begin < whole.end; begin += most) {
      const ActionId end = std::min(begin + most, whole.end);
      parts_.push_back({i, {whole.state, begin, end}, second.begin, second.end});
    }
  }
  if (found_.size() < parts_.size()) found_.resize(parts_.size());
  pool_.run(parts_.size(), [&](unsigned worker, std::size_t item) {
    compute_part(*workers_[worker], parts_[item], found_[item]);
  });
  if (watch_.exceeds_memory(bytes() + other_bytes)) return false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (found_[i].stopped) return false;
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const FoundPart& found = found_[i];
    evaluations_ += found.evaluations;
    sampled_ += found.sample.size();
    sample_.insert(found.sample.begin(), found.sample.end());
    LastTwoEdges& best = edges[parts_[i].number];
    if (!found.found || (best.first.next != no_index && found.cost >= best.extra_cost)) continue;
    best = {{add_state(found.between.data()), found.first},
            {add_state(found.next.data()), found.last},
            found.cost};
  }
  return true;
}

// All first steps of a part, and from the states they lead to all second ones.
void SuccessorGraph::compute_part(Worker& worker, const Part& part, FoundPart& found) {
  found.found = false;
  found.stopped = true;
  found.evaluations = 0;
  found.sample.clear();
  Batch first{0, 1, {}, {}, 0, true}, second{0, 0, {}, {}, 0, true};
  compute(worker, {&part.first, 1}, first, false);
  if (first.stopped) return;
  found.evaluations = first.evaluations;
  const std::size_t words = problem_.state_words;
  const auto cost_of = [&](ActionId action, const std::uint64_t* next) {
    return actions_.cost(action) - least_action_cost_ +
           (problem_.next_cost.empty()
                ? 0
                : problem_.next_cost.evaluate(nullptr, nullptr, next) - problem_.least_next_cost);
  };
  worker.requests.clear();
  std::vector<std::size_t> origin;  // of each request: the pair of the first step
  for (std::size_t i = 0; i < first.pairs.size(); ++i) {
    const std::uint64_t* between = first.next.data() + i * words;
    if (!problem_.state_constraints.hold(between)) continue;
    worker.requests.push_back({between, part.second_begin, part.second_end});
    origin.push_back(i);
    // The first class of second steps sees every state between once.
    if (const std::uint64_t hash = states_.hash_of(between); part.second_begin == 0 && hash >> 58 == 0) {
      found.sample.push_back(hash);
    }
  }
  const std::size_t size = part.second_end - part.second_begin;
  const std::size_t together = std::max<std::size_t>(1, batch_evaluations / size);
  for (std::size_t at = 0; at < worker.requests.size(); at += together) {
    second.first_request = at;
    second.end_request = std::min(at + together, worker.requests.size());
    compute(worker, worker.requests, second, true);
    if (second.stopped) return;
    found.evaluations += second.evaluations;
    for (std::size_t i = 0; i < second.pairs.size(); ++i) {
      const std::size_t pair = origin[second.pairs[i].request];
      const std::uint64_t* between = first.next.data() + pair * words;
      const std::uint64_t* next = second.next.data() + i * words;
      const std::int64_t cost =
          cost_of(first.pairs[pair].action, between) + cost_of(second.pairs[i].action, next);
      if (found.found && cost >= found.cost) continue;
      found.found = true;
      found.cost = cost;
      found.first = first.pairs[pair].action;
      found.last = second.pairs[i].action;
      found.between.assign(between, between + words);
      found.next.assign(next, next + words);
    }
  }
  found.stopped = false;
}

// False if a limit was reached.
bool SuccessorGraph::compute_requests(bool last) {
  make_batches();
  pool_.run(batch_count_, [&](unsigned worker, std::size_t item) {
    compute(*workers_[worker], requests_, batches_[item], last);
  });
  for (std::size_t i = 0; i < batch_count_; ++i) {
    if (batches_[i].stopped) return false;
  }
  for (std::size_t i = 0; i < batch_count_; ++i) evaluations_ += batches_[i].evaluations;
  return true;
}

// Consecutive requests, so many that a batch is worth a call of the network.
void SuccessorGraph::make_batches() {
  batch_count_ = 0;
  std::size_t size = batch_evaluations;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (size >= batch_evaluations) {
      if (batch_count_ == batches_.size()) batches_.emplace_back();
      batches_[batch_count_++].first_request = i;
      size = 0;
    }
    batches_[batch_count_ - 1].end_request = i + 1;
    size += requests_[i].end - requests_[i].begin;
  }
}

void SuccessorGraph::compute(Worker& worker, std::span<const Request> requests, Batch& batch, bool last) {
  batch.pairs.clear();
  batch.next.clear();
  batch.evaluations = 0;
  batch.stopped = true;
  if (watch_.should_stop()) return;
  make_pairs(worker, requests, batch, last);
  if (problem_.network) {
    worker.outputs.resize(worker.pairs.size() * problem_.network->output_words());
    problem_.network->evaluate(worker.inputs.data(), worker.pairs.size(), worker.outputs.data(),
                               worker.workspace);
  }
  batch.evaluations = worker.pairs.size();
  batch.stopped = !solve_steps(worker, requests, batch, last);
}

// The pairs of state and action that the constraints over both and the refused prefixes allow (and what the
// next state asks for, where actions are many), and what the network is given for them. Without a network the
// step program looks at these constraints as well, faster.
void SuccessorGraph::make_pairs(Worker& worker, std::span<const Request> requests, const Batch& batch,
                                bool last) const {
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
    const bool filtered = !worker.steps.trivial() && actions.end - actions.begin >= actions_to_filter;
    if (filtered && !worker.filter) worker.filter.emplace(problem_, watch_);
    if (filtered && !worker.filter->set_state(state, last)) continue;
    for (ActionId action = actions.begin; action < actions.end; ++action) {
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

// What is known of a pair's next state before the step is solved.
void SuccessorGraph::make_learned(Worker& worker, const std::uint64_t* state, std::size_t pair,
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

// The next states of all pairs, in their order. False if a limit was reached.
bool SuccessorGraph::solve_steps(Worker& worker, std::span<const Request> requests, Batch& batch,
                                 bool last) const {
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
        if (last && !problem_.goal.hold(next)) continue;
        batch.next.insert(batch.next.end(), next, next + words);
        batch.pairs.push_back(pair);
      } else if (!solve_step(worker, requests[pair.request].state, pair, worker.learned.data() + i * words,
                             batch, last)) {
        return false;
      }
    }
  }
  return true;
}

bool SuccessorGraph::solve_step(Worker& worker, const std::uint64_t* state, Pair pair,
                                const std::uint64_t* learned, Batch& batch, bool last) const {
  const std::size_t before = batch.next.size(), words = problem_.state_words;
  const auto of_use = [&](const std::uint64_t* next) {
    return (!last && problem_.state_constraints.hold(next)) || problem_.goal.hold(next);
  };
  if (worker.steps.trivial()) {
    if (!of_use(learned)) return true;
    batch.next.insert(batch.next.end(), learned, learned + words);
    batch.pairs.push_back(pair);
    return true;
  }
  if (!worker.steps.append_successors(state, actions_.bits(pair.action), learned, batch.next)) {
    return false;
  }
  std::size_t kept = before;
  for (std::size_t at = before; at < batch.next.size(); at += words) {
    const std::uint64_t* next = batch.next.data() + at;
    if (!of_use(next)) continue;
    std::copy_n(next, words, batch.next.data() + kept);
    kept += words;
    batch.pairs.push_back(pair);
  }
  batch.next.resize(kept);
  return true;
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
  const auto last = last_edges_.find({from, to});
  if (last == last_edges_.end()) throw std::logic_error("no edge between two states of a plan");
  return {to, last->second};
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
