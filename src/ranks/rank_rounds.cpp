// What is due in a phase, or in a part of one, is processed in rounds: every rank takes some of its nodes,
// computes their successors, and all exchange what was found. A round has at most 65,536 evaluations per
// thread (more for sliced last steps), so that messages in flight take little memory and a signal is noticed
// soon.
//
// On the wire a successor takes the words of its state and 16 bytes (24 if costs need 64 bits), and never
// travels if it is the sender's own, one in as many as there are ranks. A last step needs no exchange: only
// goals matter there.
//
// Actions are made class by class on demand, and the number of classes made determines what is known about
// the costs of the next. So all ranks make them together, between rounds; a node that needs a missing class
// waits for that.
#include <algorithm>

#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/ranks/rank_search.hpp"

namespace bnnplan::ranks {

namespace {

constexpr std::size_t round_evaluations = std::size_t{1} << 16;  // per thread
// Per thread, for two last steps by slices: some tens of milliseconds.
constexpr std::size_t sliced_evaluations = std::size_t{1} << 23;
constexpr std::size_t records_ahead = 64;

}  // namespace

// Processes all of due_. False if a limit was reached; what is left is then due or deferred.
bool RankSearch::work_off() {
  const bool last = layer_ + 1 == horizon_;
  while (true) {
    if (!make_classes_together()) return false;
    std::int64_t agreed[4];
    do {
      const std::size_t nodes_before = nodes_->size();
      const std::size_t evaluations = take_requests();
      const bool computed = evaluations > 0 && compute();
      if (evaluations > 0 && !computed) give_back();
      if (computed) {
        queue_taken();
        find_two_goals();
        if (last) find_goals();
      }
      if (sends_) {
        for (engines::Words& words : outgoing_) words.clear();
        if (computed) send();
        const Stopwatch exchanging;
        const engines::Words received = ranks_.exchange(outgoing_);
        exchange_seconds_ += exchanging.seconds();
        ++exchanges_;
        receive(received);
      }
      ++rounds_;
      report();
      run_.watch.should_stop();
      // In last steps ranks need not wait for each other until all are done.
      const bool alone = !sends_ && limits_.memory_of_all == std::numeric_limits<std::size_t>::max();
      if (!alone || due_.empty()) note_memory(2 * (nodes_->size() - nodes_before));
      const bool stops = run_.watch.reason() != StopReason::none, saves = save_is_due();
      if (alone && !due_.empty() && !stops && !saves) {
        agreed[1] = 0;
        continue;
      }
      agreed[0] = -static_cast<std::int64_t>(run_.watch.reason());
      agreed[1] = due_.empty() ? 1 : 0;
      agreed[2] = deferred_.empty() ? 1 : 0;
      agreed[3] = saves ? 0 : 1;
      minimum(agreed);
      if (agreed[1] == 1) break;  // a finished part is never saved as an unfinished one
      if (agreed[0] != 0) {
        run_.watch.stop(static_cast<StopReason>(-agreed[0]));
        return false;
      }
      if (agreed[3] == 0) save();
    } while (agreed[1] == 0);
    if (agreed[2] == 1) return true;
    due_ = std::move(deferred_);
    deferred_.clear();
  }
}

// Makes the classes of actions that some rank needs for what is due, on all ranks. False if one has to stop.
bool RankSearch::make_classes_together() {
  std::int64_t cost = -1, count = 0;
  for (const DueEntry& due : due_) {
    const RankNodes::Node& node = (*nodes_)[due.entry.node];
    if (due.entry.next_class != node.next_class) continue;
    if ((node.next_class & two_steps) != 0 || becomes_two(due)) {
      cost = std::max(cost, due.key - node.cost);
    } else {
      count = std::max<std::int64_t>(count, std::int64_t{node.next_class} + 1);
    }
  }
  run_.watch.should_stop();
  std::int64_t agreed[] = {-static_cast<std::int64_t>(run_.watch.reason()), -cost, -count};
  minimum(agreed);
  if (agreed[0] != 0) {
    run_.watch.stop(static_cast<StopReason>(-agreed[0]));
    return false;
  }
  sends_ = layer_ + 1 < horizon_ && agreed[2] != 0;  // entries for two last steps stay that way
  until_limit([&] {
    while (static_cast<std::int64_t>(run_.actions.class_count()) < -agreed[2] || !pairs_.made(-agreed[1])) {
      if (!run_.actions.make_class(run_.actions.class_count())) break;
    }
  });
  successors_->note_actions();
  return true;
}

// Takes due nodes and turns them into requests and questions. Returns the number of evaluations; 0 if nothing
// is left.
std::size_t RankSearch::take_requests() {
  taken_.clear();
  costs_.clear();
  hashes_.clear();
  states_.clear();
  requests_.clear();
  taken_two_.clear();
  two_states_.clear();
  questions_.clear();
  std::size_t evaluations = 0, sliced = 0;
  const std::size_t most = round_evaluations * pool_.size(), most_sliced = sliced_evaluations * pool_.size();
  const std::int64_t weight = run_.weight(layer_);
  while (!due_.empty() && evaluations < most && sliced < most_sliced) {
    const DueEntry due = due_.back();
    RankNodes::Node& node = (*nodes_)[due.entry.node];
    if (due.entry.next_class != node.next_class || due.key >= upper_) {
      due_.pop_back();
      continue;
    }
    const bool two = (node.next_class & two_steps) != 0 || becomes_two(due);
    const bool made = two ? pairs_.made(due.key - node.cost) : node.next_class < run_.actions.class_count();
    if (!made) {
      if (run_.watch.reason() != StopReason::none) break;
      due_.pop_back();
      if (run_.actions.lower_bound(run_.actions.class_count())) deferred_.push_back(due);
      continue;  // otherwise there are no more actions
    }
    due_.pop_back();
    if (two) {
      const std::size_t asked = ask_two(due.key - node.cost);
      (two_last_steps_->slices() ? sliced : evaluations) += asked;
      const std::size_t at = two_states_.size();
      two_states_.resize(at + run_.packed.state_words);
      nodes_->copy_state(due.entry.node, two_states_.data() + at);
      taken_two_.push_back({due, node.cost, nodes_->hash_of(two_states_.data() + at), questions_.size()});
      node.next_class = (node.next_class | two_steps) + 1;
      continue;
    }
    const engines::ActionTable::ActionClass& actions = run_.actions[node.next_class];
    const std::int64_t cost = node.cost + weight * (actions.cost - run_.actions[0].cost);
    // The class did not exist when the key was computed, and is dearer.
    if (cost > due.key) {
      push(due.entry.node, cost);
      continue;
    }
    ++node.next_class;
    taken_.push_back(due);
    costs_.push_back(node.cost);
    const std::size_t at = states_.size();
    states_.resize(at + run_.packed.state_words);
    nodes_->copy_state(due.entry.node, states_.data() + at);
    hashes_.push_back(nodes_->hash_of(states_.data() + at));
    requests_.push_back({nullptr, actions.begin, actions.end});
    evaluations += actions.end - actions.begin;
  }
  for (std::size_t i = 0; i < requests_.size(); ++i)
    requests_[i].state = states_.data() + i * run_.packed.state_words;
  std::size_t question = 0;
  for (std::size_t i = 0; i < taken_two_.size(); ++i) {
    for (; question < taken_two_[i].end_question; ++question)
      questions_[question].state = two_states_.data() + i * run_.packed.state_words;
  }
  return evaluations + sliced;
}

// Undoes taking the requests.
void RankSearch::give_back() {
  for (const DueEntry& due : taken_) {
    (*nodes_)[due.entry.node].next_class = due.entry.next_class;
    due_.push_back(due);
  }
  for (const TwoTaken& taken : taken_two_) {
    (*nodes_)[taken.due.entry.node].next_class = taken.due.entry.next_class;
    due_.push_back(taken.due);
  }
  taken_.clear();
  taken_two_.clear();
}

// The next states of all requests, and the answers to all questions. False if a limit was reached.
bool RankSearch::compute() {
  const bool last = layer_ + 1 == horizon_;
  batch_count_ = engines::Successors::make_batches(requests_, last ? 0 : requests_.size(), batches_);
  const std::size_t parts = two_last_steps_->ask(questions_);
  const bool computed = until_limit([&] {
    pool_.run(parts + batch_count_, [&](unsigned worker, std::size_t item) {
      if (item < parts) {
        two_last_steps_->compute(*workers_[worker], item);
      } else {
        successors_->compute(*workers_[worker], requests_, batches_[item - parts]);
      }
    });
  });
  if (!computed) return false;
  for (std::size_t i = 0; i < batch_count_; ++i)
    evaluations_ += static_cast<std::int64_t>(batches_[i].evaluations);
  return true;
}

// Queues the nodes taken for their next class, or for the next possible cost of their last two steps.
void RankSearch::queue_taken() {
  const std::int64_t least = run_.actions[0].cost;
  for (const DueEntry& due : taken_) {
    const RankNodes::Node& node = (*nodes_)[due.entry.node];
    if (const auto bound = run_.actions.lower_bound(node.next_class)) {
      const std::int64_t cost = node.cost + run_.weight(layer_) * (*bound - least);
      push(due.entry.node, std::max(cost, due.key));
    }
  }
  for (const TwoTaken& taken : taken_two_) {
    if (const auto after = pairs_.cost_after(taken.due.key - taken.cost))
      push(taken.due.entry.node, taken.cost + *after);
  }
}

// Sends everything found to its owners.
void RankSearch::send() {
  const std::size_t words = run_.packed.state_words;
  const std::int64_t weight = run_.weight(layer_), least = run_.actions[0].cost;
  const bool next_costs = !run_.packed.next_cost.empty();
  for (std::size_t i = 0; i < batch_count_; ++i) {
    const engines::Successors::Batch& batch = batches_[i];
    for (std::size_t at = 0; at < batch.pairs.size(); ++at) {
      const std::uint64_t* next = batch.next.data() + at * words;
      if (!run_.packed.state_constraints.hold(next)) continue;  // a goal, but in the wrong layer
      const auto [request, action] = batch.pairs[at];
      std::int64_t step = run_.actions.cost(action) - least;
      if (next_costs)
        step += run_.packed.next_cost.evaluate(nullptr, nullptr, next) - run_.packed.least_next_cost;
      const std::int64_t cost = costs_[request] + weight * step;
      if (cost >= upper_) continue;
      ++found_successors_;
      const std::uint64_t hash = nodes_->hash_of(next);
      const int owner = RankNodes::owner(hash, ranks_.size());
      if (owner == ranks_.rank()) {
        reach(next, hash, layer_ + 1, {hashes_[request], cost, action, 0});
        continue;
      }
      engines::Words& to = outgoing_[static_cast<std::size_t>(owner)];
      to.insert(to.end(), next, next + words);
      to.push_back(hashes_[request]);
      if (narrow_) {
        to.push_back(static_cast<std::uint64_t>(cost) << 32 | action);
      } else {
        to.push_back(static_cast<std::uint64_t>(cost));
        to.push_back(action);
      }
      ++sent_records_;
    }
  }
  for (const engines::Words& to : outgoing_) sent_words_ += static_cast<std::int64_t>(to.size());
}

void RankSearch::receive(std::span<const std::uint64_t> records) {
  const std::size_t words = run_.packed.state_words, size = words + (narrow_ ? 2 : 3);
  std::uint64_t hashes[records_ahead];
  for (std::size_t at = 0; at < records.size(); at += records_ahead * size) {
    const std::size_t count = std::min(records_ahead, (records.size() - at) / size);
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = nodes_->hash_of(records.data() + at + i * size);
      nodes_->prefetch(hashes[i], layer_ + 1);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t* record = records.data() + at + i * size;
      const std::uint64_t* rest = record + words;
      const std::uint64_t cost = narrow_ ? rest[1] >> 32 : rest[1];
      const auto action = static_cast<std::uint32_t>(narrow_ ? rest[1] : rest[2]);
      reach(record, hashes[i], layer_ + 1, {rest[0], static_cast<std::int64_t>(cost), action, 0});
    }
  }
}

// Records a path to a node that this rank owns.
void RankSearch::reach(const std::uint64_t* state, std::uint64_t hash, std::uint32_t layer,
                       const RankNodes::Node& way) {
  const Id found = nodes_->find(state, hash, layer);
  if (found != engines::no_index) {
    RankNodes::Node& node = (*nodes_)[found];
    const auto order = [](const RankNodes::Node& of) {
      return engines::PathOrder{of.cost, 0, of.parent, of.action};
    };
    if (order(way) >= order(node)) return;
    if (way.cost == node.cost) {
      node.parent = way.parent;
      node.action = way.action;
      return;
    }
  }
  const std::int64_t rest = run_.estimate->of_steps(state, horizon_ - layer);
  if (rest >= engines::CostEstimate::infinite) return;
  const std::int64_t key = std::max(key_, way.cost + rest);
  if (key >= upper_) return;
  if (found == engines::no_index) return push(nodes_->add(state, hash, layer, way), key);
  (*nodes_)[found] = way;
  push(found, key);
}

}  // namespace bnnplan::ranks
