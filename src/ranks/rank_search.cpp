// Best-first search by many processes. A state belongs to the rank that its hash says (Evett, Hendler, Mahanti, Nau: PRA*, 1995;
// Kishimoto, Fukunaga, Botea: hash distributed A*, 2013), which alone keeps its nodes, expands them, and sends what comes out
// to whom it belongs. Those searches run without waiting for each other, so that what they expand, and which of
// several best plans they find, changes from run to run. This one goes in phases: of all nodes with the least key, those of one layer. A
// step leads from a layer to the next, so within a phase nothing depends on anything else:
//
//   phase (key, layer)  =  every rank expands its nodes of that key and layer, one class of actions each; in rounds of bounded
//                          size all exchange what they found and take in what they get
//
// and the next phase is the least (key, layer) that any rank has, one reduction away. Within a key layers come in order, so there
// are at most (number of different keys) x horizon phases, and only those that have nodes.
//
// Deterministic for any number of ranks: which nodes are expanded in a phase, and what comes out, is a set that does not depend on
// who owns what. Of several ways to a node at the same cost the one with the least (hash of the state before, action) is
// kept, of several last steps likewise, so that the plan depends on sets alone, too. The price is that the last phase is worked
// off to its end although its first plan is already optimal.
//
// Keys are those of best_first.cpp: cost so far plus an admissible estimate, and each class of actions when its cost
// is due. Of the last step only what reaches the goal is looked at; nothing of it is sent. There is no waiting, nor are edges kept:
// a state that is reached in several layers is evaluated in each.
//
// On the wire a successor takes the words of its state and 16 bytes (24 where costs need 64 bits), and never travels if it is the
// sender's own, one of as many as there are ranks.
#include "ranks/rank_search.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/count_text.hpp"
#include "base/stopwatch.hpp"
#include "engines/checked_run.hpp"

namespace bnnplan {

namespace {

constexpr std::size_t round_evaluations = std::size_t{1} << 16;  // of a thread
constexpr std::size_t batch_evaluations = 256;
constexpr std::size_t records_ahead = 64;
constexpr double report_interval = 0.2;

// Whether no path can cost 2^32 or more above the least.
bool costs_are_narrow(const SearchRun& run) {
  std::int64_t step = 0, total = 0;
  const std::int64_t most = std::int64_t{1} << 32;
  for (const Term& term : run.problem.objective.terms) {
    const std::int64_t size = term.coefficient < 0 ? -term.coefficient : term.coefficient;
    if (size >= most || (step += size) >= most) return false;
  }
  for (int t = 1; t <= run.problem.horizon; ++t) {
    const std::int64_t weight = run.weights.of(t);
    if (weight >= most || (step > 0 && weight >= most / step) || (total += weight * step) >= most)
      return false;
  }
  return true;
}

}  // namespace

bool RankSearch::Goal::before(const Goal& other) const {
  return std::tie(cost, parent, action, state) <
         std::tie(other.cost, other.parent, other.action, other.state);
}

RankSearch::RankSearch(Ranks& ranks, const Problem& problem, const EngineRequest& request)
    : ranks_(ranks),
      problem_(problem),
      run_(problem, request),
      horizon_(static_cast<std::uint32_t>(problem.horizon)),
      upper_(none),
      pool_(request.limits.threads),
      outgoing_(static_cast<std::size_t>(ranks.size())) {}

// All stop if one has to. False then.
bool RankSearch::agree_to_go_on() {
  run_.watch.should_stop();
  std::int64_t reason = -static_cast<std::int64_t>(run_.watch.reason());
  ranks_.minimum({&reason, 1});
  if (reason != 0) run_.watch.stop(static_cast<StopReason>(-reason));
  return reason == 0;
}

Outcome RankSearch::solve() {
  const bool finished = search();
  if (!finished) save_at_the_end();
  Outcome outcome;
  outcome.engine = "search by ranks";
  if (!finished) outcome.stopped = run_.watch.reason();
  if (auto plan = follow_back()) {
    outcome.cost = run_.total_cost(upper_);
    outcome.plan = std::move(plan);
    outcome.status = finished ? Status::optimal : Status::plan;
    run_.bounds.improve({run_.watch.seconds(), *outcome.cost, [&] { return *outcome.plan; }});
    if (finished) run_.bounds.raise_lower(*outcome.cost, run_.watch.seconds());
  } else {
    outcome.status = finished ? Status::infeasible : Status::unknown;
  }
  outcome.resumed_from = run_.request.checkpoint.resume;
  outcome.checkpoint = saved_;
  outcome.checkpoint_error = saving_error_;
  outcome.seconds = run_.watch.seconds();
  outcome.bounds = run_.bounds.finish(outcome.seconds);
  if (outcome.status != Status::infeasible) outcome.lower_bound = run_.bounds.lower();
  add_statistics(outcome);
  return outcome;
}

// True if the best plan, or that there is none, is proved.
bool RankSearch::search() {
  whole_ = run_.request.checkpoint.resume.empty();
  const bool begun = run_.begin() && add_initial();
  if (!agree_to_go_on()) return false;
  if (!begun) return true;  // there is no action at all
  resume();
  if (!agree_to_go_on()) return false;
  while (const auto phase = next_phase()) {
    if (phase->key >= upper_) return true;
    key_ = phase->key;
    run_.raise_lower(key_);
    ++phases_;
    if (!run_phase(*phase)) return false;
    if (phase->layer + 1 == horizon_) share_upper();
  }
  return true;
}

// Everybody enumerates all of them and keeps its own. False if there is no action, or a limit was reached.
bool RankSearch::add_initial() {
  const auto initial = run_.initial_states();
  if (!initial) return false;
  narrow_ = costs_are_narrow(run_);
  nodes_.emplace(problem_.state.bit_count(), run_.packed.state_words, horizon_);
  successors_.emplace(run_.packed, run_.symmetry, run_.actions, run_.watch);
  for (unsigned i = 0; i < pool_.size(); ++i)
    workers_.push_back(std::make_unique<Successors::Worker>(run_.packed, run_.watch));
  for (const StateId state : *initial) {
    const std::uint64_t* words = run_.graph->words(state);
    const std::uint64_t hash = nodes_->hash_of(words);
    if (RankNodes::owner(hash, ranks_.size()) != ranks_.rank()) continue;
    reach(words, hash, 0, {hash, 0, RankNodes::no_action, 0});
  }
  return true;
}

void RankSearch::push(Id node, std::int64_t key) {
  if (key >= upper_) return;
  queue_[{key, nodes_->layer(node)}].push_back({node, (*nodes_)[node].next_class});
  ++queued_;
}

// The least phase that any rank has.
std::optional<RankSearch::Phase> RankSearch::next_phase() {
  std::int64_t key = queue_.empty() ? none : queue_.begin()->first.key;
  const std::int64_t own = key;
  ranks_.minimum({&key, 1});
  if (key == none) return std::nullopt;
  std::int64_t layer = own == key ? queue_.begin()->first.layer : none;
  ranks_.minimum({&layer, 1});
  return Phase{key, static_cast<std::uint32_t>(layer)};
}

void RankSearch::share_upper() {
  std::int64_t least = goal_ ? goal_->cost : none;
  ranks_.minimum({&least, 1});
  upper_ = std::min(upper_, least);
}

std::vector<RankSearch::Entry> RankSearch::take_phase(const Phase& phase) {
  const auto own = queue_.find(phase);
  if (own == queue_.end()) return {};
  std::vector<Entry> entries = std::move(own->second);
  queue_.erase(own);
  queued_ -= entries.size();
  return entries;
}

void RankSearch::put_back(const Phase& phase, const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  std::vector<Entry>& queued = queue_[phase];
  queued.insert(queued.end(), entries.begin(), entries.end());
  queued_ += entries.size();
}

// False if a limit was reached; whatever was not worked off is in the queue then.
bool RankSearch::run_phase(const Phase& phase) {
  std::vector<Entry> entries = take_phase(phase);
  const bool last = phase.layer + 1 == horizon_;
  while (true) {
    const std::size_t evaluations = take_requests(phase, entries);
    const bool computed = evaluations > 0 && compute(last);
    if (evaluations > 0 && !computed) give_back(entries);
    if (computed && last) find_goals(phase);
    std::int64_t left = entries.empty() ? 1 : 0;
    if (!last) {
      for (Words& words : outgoing_) words.clear();
      if (computed) send(phase);
      const Stopwatch exchanging;
      const Words received = ranks_.exchange(outgoing_);
      exchange_seconds_ += exchanging.seconds();
      receive(received, phase);
    }
    peak_bytes_ = std::max(peak_bytes_, bytes());
    const std::size_t more = std::clamp<std::size_t>(nodes_->size(), 1024, 2 * round_evaluations);
    run_.watch.exceeds_memory(bytes() + nodes_->bytes_of_growth(more));
    report(phase);
    ++rounds_;
    // Ranks need not wait for each other in a last step, until all have done theirs.
    if (last && !entries.empty() && !run_.watch.should_stop()) continue;
    const bool go_on = agree_to_go_on();
    if (go_on) {
      std::int64_t agreed[] = {left, save_is_due() ? 0 : 1};
      ranks_.minimum(agreed);
      if (agreed[1] == 0) {
        put_back(phase, entries);
        save();
        entries = take_phase(phase);
      }
      if (agreed[0] == 1) return true;
      continue;
    }
    put_back(phase, entries);
    return false;
  }
}

// Takes entries, makes requests of them and puts their nodes back into the queue for their next class. Returns how many
// evaluations that is; 0 if nothing is left.
std::size_t RankSearch::take_requests(const Phase& phase, std::vector<Entry>& entries) {
  taken_.clear();
  costs_.clear();
  hashes_.clear();
  states_.clear();
  requests_.clear();
  std::size_t evaluations = 0;
  const std::size_t most = round_evaluations * pool_.size();
  const std::int64_t weight = run_.weight(phase.layer);
  while (!entries.empty() && evaluations < most) {
    const Entry entry = entries.back();
    RankNodes::Node& node = (*nodes_)[entry.node];
    if (entry.action_class != node.next_class) {
      entries.pop_back();
      continue;
    }
    if (!run_.actions.make_class(entry.action_class)) {
      if (run_.watch.reason() != StopReason::none) break;
      entries.pop_back();  // there are no more actions
      continue;
    }
    entries.pop_back();
    const ActionTable::ActionClass& actions = run_.actions[entry.action_class];
    const std::int64_t due = node.cost + weight * (actions.cost - run_.actions[0].cost);
    if (due > phase.key) {  // the class was not made when the key was, and is dearer
      push(entry.node, due);
      continue;
    }
    ++node.next_class;
    taken_.push_back(entry);
    costs_.push_back(node.cost);
    const std::size_t at = states_.size();
    states_.resize(at + run_.packed.state_words);
    nodes_->copy_state(entry.node, states_.data() + at);
    hashes_.push_back(nodes_->hash_of(states_.data() + at));
    requests_.push_back({nullptr, actions.begin, actions.end});
    evaluations += actions.end - actions.begin;
  }
  for (std::size_t i = 0; i < requests_.size(); ++i)
    requests_[i].state = states_.data() + i * run_.packed.state_words;
  return evaluations;
}

// As if nothing had been taken.
void RankSearch::give_back(std::vector<Entry>& entries) {
  for (const Entry& entry : taken_) {
    (*nodes_)[entry.node].next_class = entry.action_class;
    entries.push_back(entry);
  }
  taken_.clear();
}

// The next states of all requests. False if a limit was reached.
bool RankSearch::compute(bool last) {
  successors_->note_actions();
  batch_count_ = 0;
  std::size_t size = batch_evaluations;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (size >= batch_evaluations) {
      if (batch_count_ == batches_.size()) batches_.emplace_back();
      batches_[batch_count_].last = last;
      batches_[batch_count_++].first_request = i;
      size = 0;
    }
    batches_[batch_count_ - 1].end_request = i + 1;
    size += requests_[i].end - requests_[i].begin;
  }
  pool_.run(batch_count_, [&](unsigned worker, std::size_t batch) {
    successors_->compute(*workers_[worker], requests_, batches_[batch]);
  });
  for (std::size_t i = 0; i < batch_count_; ++i) {
    if (batches_[i].stopped) return false;
  }
  const std::int64_t least = run_.actions[0].cost;
  for (std::size_t i = 0; i < batch_count_; ++i)
    evaluations_ += static_cast<std::int64_t>(batches_[i].evaluations);
  // The nodes wait for their next class.
  for (const Entry& entry : taken_) {
    const RankNodes::Node& node = (*nodes_)[entry.node];
    if (const auto bound = run_.actions.lower_bound(node.next_class)) {
      const std::int64_t due = node.cost + run_.weight(nodes_->layer(entry.node)) * (*bound - least);
      push(entry.node, std::max(due, key_));
    }
  }
  return true;
}

// Everything that was found to its owners.
void RankSearch::send(const Phase& phase) {
  const std::size_t words = run_.packed.state_words;
  const std::int64_t weight = run_.weight(phase.layer), least = run_.actions[0].cost;
  const bool next_costs = !run_.packed.next_cost.empty();
  for (std::size_t i = 0; i < batch_count_; ++i) {
    const Successors::Batch& batch = batches_[i];
    for (std::size_t at = 0; at < batch.pairs.size(); ++at) {
      const std::uint64_t* next = batch.next.data() + at * words;
      if (!run_.packed.state_constraints.hold(next)) continue;  // a goal, in the wrong layer
      const auto [request, action] = batch.pairs[at];
      std::int64_t step = run_.actions.cost(action) - least;
      if (next_costs)
        step += run_.packed.next_cost.evaluate(nullptr, nullptr, next) - run_.packed.least_next_cost;
      const std::int64_t cost = costs_[request] + weight * step;
      if (cost >= upper_) continue;
      const std::uint64_t hash = nodes_->hash_of(next);
      const int owner = RankNodes::owner(hash, ranks_.size());
      if (owner == ranks_.rank()) {
        reach(next, hash, phase.layer + 1, {hashes_[request], cost, action, 0});
        continue;
      }
      Words& to = outgoing_[static_cast<std::size_t>(owner)];
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
  for (const Words& to : outgoing_) sent_words_ += static_cast<std::int64_t>(to.size());
}

void RankSearch::receive(std::span<const std::uint64_t> records, const Phase& phase) {
  const std::size_t words = run_.packed.state_words, size = words + (narrow_ ? 2 : 3);
  std::uint64_t hashes[records_ahead];
  for (std::size_t at = 0; at < records.size(); at += records_ahead * size) {
    const std::size_t count = std::min(records_ahead, (records.size() - at) / size);
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = nodes_->hash_of(records.data() + at + i * size);
      nodes_->prefetch(hashes[i], phase.layer + 1);
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t* record = records.data() + at + i * size;
      const std::uint64_t* rest = record + words;
      const std::uint64_t cost = narrow_ ? rest[1] >> 32 : rest[1];
      const auto action = static_cast<std::uint32_t>(narrow_ ? rest[1] : rest[2]);
      reach(record, hashes[i], phase.layer + 1, {rest[0], static_cast<std::int64_t>(cost), action, 0});
    }
  }
}

// A way to a node that this rank owns.
void RankSearch::reach(const std::uint64_t* state, std::uint64_t hash, std::uint32_t layer,
                       const RankNodes::Node& way) {
  const Id found = nodes_->find(state, hash, layer);
  if (found != no_index) {
    RankNodes::Node& node = (*nodes_)[found];
    if (way.cost > node.cost) return;
    if (way.cost == node.cost) {
      if (std::tie(way.parent, way.action) < std::tie(node.parent, node.action)) {
        node.parent = way.parent;
        node.action = way.action;
      }
      return;
    }
  }
  const std::int64_t rest = run_.estimate->of_steps(state, horizon_ - layer);
  if (rest >= CostEstimate::infinite) return;
  const std::int64_t key = std::max(key_, way.cost + rest);
  if (key >= upper_) return;
  if (found == no_index) return push(nodes_->add(state, hash, layer, way), key);
  (*nodes_)[found] = way;
  push(found, key);
}

void RankSearch::find_goals(const Phase& phase) {
  const std::size_t words = run_.packed.state_words;
  const std::int64_t weight = run_.weight(phase.layer), least = run_.actions[0].cost;
  for (std::size_t i = 0; i < batch_count_; ++i) {
    const Successors::Batch& batch = batches_[i];
    for (std::size_t at = 0; at < batch.pairs.size(); ++at) {
      const std::uint64_t* next = batch.next.data() + at * words;
      const auto [request, action] = batch.pairs[at];
      const std::int64_t step = run_.actions.cost(action) - least +
                                run_.packed.next_cost.evaluate(nullptr, nullptr, next) -
                                run_.packed.least_next_cost;
      Goal goal{costs_[request] + weight * step, hashes_[request], action, Words(next, next + words)};
      if (!goal_ || goal.before(*goal_)) goal_ = std::move(goal);
    }
  }
}

void RankSearch::report(const Phase& phase) {
  const double now = run_.watch.seconds();
  if (!run_.request.callbacks.progress || now - last_progress_ < report_interval) return;
  last_progress_ = now;
  Progress progress;
  progress.seconds = now;
  progress.activity = fmt::format("rank {} of {}: cost {}, layer {} of {}, {}", ranks_.rank(), ranks_.size(),
                                  to_string(cost_in_units(problem_, run_.total_cost(phase.key))), phase.layer,
                                  horizon_, count_text(nodes_->size(), "node"));
  progress.memory_bytes = run_.watch.process_bytes(bytes());
  progress.lower_bound = run_.bounds.lower();
  if (upper_ != none) progress.best_cost = run_.total_cost(upper_);
  run_.request.callbacks.progress(progress);
}

std::size_t RankSearch::bytes() const {
  std::size_t bytes = run_.graph->bytes() + run_.estimate->bytes() +
                      states_.capacity() * sizeof(std::uint64_t) +
                      queued_ * sizeof(Entry) * 3 / 2;  // vectors grow ahead
  if (nodes_) bytes += nodes_->bytes();
  for (const Words& to : outgoing_)
    bytes += 2 * to.capacity() * sizeof(std::uint64_t);  // as much is received
  return bytes;
}

// Of all ranks together.
void RankSearch::add_statistics(Outcome& outcome) {
  const auto nodes = static_cast<std::int64_t>(nodes_ ? nodes_->size() : 0);
  const auto microseconds = static_cast<std::int64_t>(exchange_seconds_ * 1e6);
  std::int64_t sums[] = {nodes,           evaluations_, sent_records_,
                         sent_words_ * 8, microseconds, static_cast<std::int64_t>(peak_bytes_)};
  ranks_.sum(sums);
  std::int64_t most = -static_cast<std::int64_t>(peak_bytes_);
  ranks_.minimum({&most, 1});
  const auto add = [&](const char* name, Statistic value) { outcome.statistics.emplace_back(name, value); };
  add("ranks", std::int64_t{ranks_.size()});
  add("nodes", sums[0]);
  add("evaluations", sums[1]);
  add("phases", phases_);
  add("rounds", rounds_);
  add("records_sent", sums[2]);
  add("bytes_sent", sums[3]);
  add("exchange_seconds_of_all", static_cast<double>(sums[4]) * 1e-6);
  add("bytes", sums[5]);
  add("bytes_of_the_largest_rank", -most);
  add("threads", static_cast<std::int64_t>(pool_.size()));
}

Outcome plan_by_ranks(Ranks& ranks, const Problem& problem, const EngineRequest& request) {
  RankSearch search(ranks, problem, request);
  return checked_outcome("search by ranks", problem, search.solve());
}

}  // namespace bnnplan
