// Best-first search by many processes. A state belongs to the rank that its hash selects (Evett, Hendler,
// Mahanti, Nau: PRA*, 1995; Kishimoto, Fukunaga, Botea: hash distributed A*, 2013), which alone stores its
// nodes, expands them, and sends the successors to their owners. Those searches run asynchronously, so that
// what they expand, and which of several best plans they find, changes from run to run. This one proceeds in
// phases: of all nodes with keys in one bucket, those of one layer. A step leads from a layer to the next, so
// within a phase nothing depends on anything else:
//
//   phase (bucket, layer)  =  every rank expands its nodes of that bucket and layer, one class of actions
//                             after the other; in rounds of bounded size all exchange what they found and
//                             insert what they receive (rank_rounds.cpp)
//
// and the next phase is the lowest layer that any rank has in the bucket, one reduction away. A bucket is one
// key, the smallest: cost so far plus an admissible estimate, as in best_first.cpp. If bucket after bucket
// has hardly any work, as happens with decimal costs, its width grows (as in delta-stepping: Meyer, Sanders
// 2003), so that phases are worth synchronising all ranks. The only price is expanding some nodes that are
// dearer than the optimum: before a layer's turn all earlier layers of the bucket are done, and so every node
// has its least cost.
//
// Deterministic for any number of ranks: which nodes are expanded in a phase, and what comes out, is a set
// that does not depend on ownership. Of several paths at the same cost engines/search/tie_break.hpp chooses,
// so that the plan depends only on sets, too; everything that decides how the search continues (bounds,
// classes of actions made, widths) changes between phases, for all ranks at once. A phase that looks for
// goals is divided into parts after which all ranks learn the best plan (rank_goals.cpp), since processing
// all of it would cost up to twice the time.
//
// There is no waiting, and edges are not stored: a state that is reached in several layers is evaluated in
// each.
#include "bnnplan/ranks/rank_search.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/engines/checked_run.hpp"

namespace bnnplan::ranks {

namespace {

constexpr double report_interval = 0.2;
constexpr std::int64_t small_bucket = 4096;  // evaluations by all ranks
constexpr std::int64_t small_before_wider = 8;
constexpr std::int64_t most_width = std::int64_t{1} << 40;

// Whether no path can cost 2^32 or more above the least.
bool costs_are_narrow(const engines::SearchRun& run) {
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

RankSearch::RankSearch(Ranks& ranks, const Problem& problem, const engines::EngineRequest& request,
                       const RankLimits& limits)
    : ranks_(ranks),
      problem_(problem),
      limits_(limits),
      run_(problem, request),
      horizon_(static_cast<std::uint32_t>(problem.horizon)),
      queue_(horizon_),
      pool_(request.limits.threads),
      outgoing_(static_cast<std::size_t>(ranks.size())),
      pairs_(run_.actions) {}

void RankSearch::set_last_two(std::uint64_t successors, std::size_t slice_states) {
  least_successors_ = successors;
  least_slice_states_ = slice_states;
}

void RankSearch::minimum(std::span<std::int64_t> values) {
  const Stopwatch waiting;
  ranks_.minimum(values);
  ++reductions_;
  exchange_seconds_ += waiting.seconds();
}

void RankSearch::sum(std::span<std::int64_t> values) {
  const Stopwatch waiting;
  ranks_.sum(values);
  ++reductions_;
  exchange_seconds_ += waiting.seconds();
}

// All ranks stop if one has to. False then.
bool RankSearch::agree_to_go_on() {
  run_.watch.should_stop();
  std::int64_t reason = -static_cast<std::int64_t>(run_.watch.reason());
  minimum({&reason, 1});
  if (reason != 0) run_.watch.stop(static_cast<StopReason>(-reason));
  return reason == 0;
}

engines::Outcome RankSearch::solve() {
  const bool finished = search();
  if (!finished) save_at_the_end();
  engines::Outcome outcome;
  outcome.engine = "search by ranks";
  if (!finished) outcome.stopped = run_.watch.reason();
  // If a limit ended the reading of a checkpoint, a cost is known but the nodes of its plan are not.
  if (auto plan = whole_ ? follow_back() : std::nullopt) {
    outcome.cost = run_.total_cost(upper_);
    outcome.plan = std::move(plan);
    outcome.status = finished ? Status::optimal : Status::feasible;
    run_.bounds.improve({run_.watch.seconds(), *outcome.cost, [&] { return *outcome.plan; }});
    if (finished) run_.bounds.raise_lower(*outcome.cost, run_.watch.seconds());
  } else {
    outcome.status = finished ? Status::infeasible : Status::unknown;
  }
  outcome.resumed_from = run_.request.checkpoint.resume;
  outcome.checkpoint = saved_;
  outcome.checkpoint_error = saving_error_;
  run_.conclude(outcome);
  add_statistics(outcome);
  return outcome;
}

// True if the best plan, or that there is none, is proved.
bool RankSearch::search() {
  whole_ = run_.request.checkpoint.resume.empty();
  bool begun = false;
  until_limit([&] {
    begun = run_.begin();
    if (begun) add_initial();
  });
  if (!agree_to_go_on()) return false;
  if (!begun) return true;  // there is no action at all
  begun_ = true;
  resume();
  if (!agree_to_go_on()) return false;
  while (next_phase()) {
    ++phases_;
    if (!run_phase()) return false;
    layer_ = no_layer;
    if (upper_ <= key_) return true;
  }
  return true;
}

// Every rank enumerates all of them and keeps its own.
void RankSearch::add_initial() {
  const std::vector<engines::StateId> initial = run_.initial_states();
  narrow_ = costs_are_narrow(run_);
  nodes_.emplace(problem_.state.bit_count(), run_.packed.state_words, horizon_);
  successors_.emplace(run_.packed, run_.symmetry, run_.actions, run_.watch);
  two_last_steps_.emplace(run_.packed, run_.symmetry, run_.actions, *successors_, run_.watch);
  two_last_steps_->set_least_slice_states(least_slice_states_);
  for (unsigned i = 0; i < pool_.size(); ++i)
    workers_.push_back(std::make_unique<engines::TwoLastSteps::Worker>(run_.packed, run_.watch));
  for (const engines::StateId state : initial) {
    const std::uint64_t* words = run_.graph->words(state);
    const std::uint64_t hash = nodes_->hash_of(words);
    if (RankNodes::owner(hash, ranks_.size()) != ranks_.rank()) continue;
    reach(words, hash, 0, {hash, 0, RankNodes::no_action, 0});
  }
}

// An entry that is due in the current phase joins it.
void RankSearch::push(Id node, std::int64_t key) {
  if (key >= upper_) return;
  const Entry entry{node, (*nodes_)[node].next_class};
  const std::uint32_t layer = nodes_->layer(node);
  if (layer == layer_ && key < end_) {
    due_.push_back({entry, key});
    return;
  }
  queue_[layer][key].push_back(entry);
  ++queued_;
}

// Sets layer_, and the bucket if a new one begins. False if nothing is left that could be part of a better
// plan.
bool RankSearch::next_phase() {
  while (true) {
    std::int64_t layer = none;
    for (std::uint32_t i = 0; i < horizon_ && layer == none; ++i) {
      if (!queue_[i].empty() && queue_[i].begin()->first < end_) layer = i;
    }
    std::int64_t agreed[] = {layer, save_is_due() ? 0 : 1};
    minimum(agreed);
    if (agreed[1] == 0) save();
    if (agreed[0] != none) {
      layer_ = static_cast<std::uint32_t>(agreed[0]);
      return true;
    }
    if (!begin_bucket()) return false;
  }
}

bool RankSearch::begin_bucket() {
  std::int64_t key = none;
  for (const auto& keys : queue_) {
    if (!keys.empty()) key = std::min(key, keys.begin()->first);
  }
  minimum({&key, 1});
  if (key == none || key >= upper_) return false;
  adapt_width();
  key_ = key;
  end_ = key > none - width_ ? none : key + width_;
  run_.raise_lower(key_);
  return true;
}

// By the work of the last bucket.
void RankSearch::adapt_width() {
  std::int64_t evaluations = evaluations_ - evaluations_before_;
  sum({&evaluations, 1});
  evaluations_before_ = evaluations_;
  if (evaluations < small_bucket) {
    if (++small_buckets_ >= small_before_wider) width_ = std::min(2 * width_, most_width);
  } else {
    small_buckets_ = 0;
    if (evaluations >= 4 * small_bucket) width_ = std::max<std::int64_t>(width_ / 4, 1);
  }
}

void RankSearch::share_upper() {
  std::int64_t least = goal_ ? goal_->cost : none;
  minimum({&least, 1});
  upper_ = std::min(upper_, least);
}

// Makes due what the phase has in the queue, each node once: one that was reached at several costs, each less
// than the one before, was queued for each of them, and how often depends on timing.
void RankSearch::take_phase() {
  std::map<std::int64_t, std::vector<Entry>>& keys = queue_[layer_];
  std::size_t count = 0;
  for (auto entries = keys.begin(); entries != keys.end() && entries->first < end_; ++entries)
    count += entries->second.size();
  due_ = {};  // do not keep the memory of a large phase
  due_.reserve(count);
  taken_now_.resize(nodes_->size(), false);
  for (; !keys.empty() && keys.begin()->first < end_; keys.erase(keys.begin())) {
    const auto& [key, entries] = *keys.begin();
    queued_ -= entries.size();
    for (const Entry& entry : entries) {
      if (entry.next_class != (*nodes_)[entry.node].next_class || taken_now_[entry.node]) continue;
      taken_now_[entry.node] = true;
      due_.push_back({entry, key});
    }
  }
  for (const DueEntry& due : due_) taken_now_[due.entry.node] = false;
}

// False if a limit was reached.
bool RankSearch::run_phase() {
  take_phase();
  return looks_for_goals() ? run_course() : work_off();
}

void RankSearch::report() {
  const double now = run_.watch.seconds();
  if (!run_.request.callbacks.progress || now - last_progress_ < report_interval) return;
  last_progress_ = now;
  Progress progress;
  progress.seconds = now;
  progress.activity = fmt::format("rank {} of {}: cost {}, layer {} of {}, {}", ranks_.rank(), ranks_.size(),
                                  to_string(cost_in_units(problem_, run_.total_cost(key_))), layer_, horizon_,
                                  count_text(nodes_->size(), "node"));
  progress.memory_bytes = run_.watch.process_bytes(bytes());
  progress.lower_bound = run_.bounds.lower();
  if (upper_ != none) progress.best_cost = run_.total_cost(upper_);
  run_.request.callbacks.progress(progress);
}

// Stops if this many more nodes might not fit.
void RankSearch::note_memory(std::size_t nodes_before_long) {
  const std::size_t now = bytes();
  peak_bytes_ = std::max(peak_bytes_, now);
  run_.watch.exceeds_memory(now + nodes_->bytes_of_growth(std::max<std::size_t>(nodes_before_long, 1024)));
  if (limits_.memory_of_all == std::numeric_limits<std::size_t>::max()) return;
  auto all = static_cast<std::int64_t>(run_.watch.process_bytes(now));
  sum({&all, 1});
  if (static_cast<std::size_t>(all) > limits_.memory_of_all) run_.watch.stop(StopReason::memory);
}

std::size_t RankSearch::bytes() const {
  std::size_t words = states_.capacity() + two_states_.capacity();
  for (const engines::Words& to : outgoing_) words += 2 * to.capacity() + to.size();  // as much is received
  for (const engines::Successors::Batch& batch : batches_)
    words += batch.next.capacity() + batch.pairs.capacity();
  return run_.graph->bytes() + run_.estimate->bytes() + words * sizeof(std::uint64_t) +
         queued_ * sizeof(Entry) * 3 / 2 +  // vectors grow ahead
         (due_.capacity() + later_.capacity() + deferred_.capacity() + taken_.capacity()) * sizeof(DueEntry) +
         questions_.capacity() * sizeof(engines::TwoLastSteps::Question) +
         sample_.size() * 4 * sizeof(std::uint64_t) + (nodes_ ? nodes_->bytes() + nodes_->size() / 8 : 0);
}

// Sums over all ranks.
void RankSearch::add_statistics(engines::Outcome& outcome) {
  const auto microseconds = static_cast<std::int64_t>(exchange_seconds_ * 1e6);
  std::int64_t sums[] = {static_cast<std::int64_t>(nodes_ ? nodes_->size() : 0),
                         evaluations_,
                         two_evaluations_,
                         sent_records_,
                         sent_words_ * 8,
                         microseconds,
                         static_cast<std::int64_t>(peak_bytes_)};
  ranks_.sum(sums);
  std::int64_t most = -static_cast<std::int64_t>(peak_bytes_);
  ranks_.minimum({&most, 1});
  const auto add = [&](const char* name, engines::Statistic value) {
    outcome.statistics.emplace_back(name, value);
  };
  add("ranks", std::int64_t{ranks_.size()});
  add("nodes", sums[0]);
  add("evaluations", sums[1]);
  add("evaluations_of_two_last_steps", sums[2]);
  add("phases", phases_);
  add("rounds", rounds_);
  add("exchanges", exchanges_);
  add("reductions", reductions_);
  add("records_sent", sums[3]);
  add("bytes_sent", sums[4]);
  add("exchange_seconds_of_all", static_cast<double>(sums[5]) * 1e-6);
  add("bytes", sums[6]);
  add("bytes_of_the_largest_rank", -most);
  add("threads", static_cast<std::int64_t>(pool_.size()));
}

engines::Outcome plan_by_ranks(Ranks& ranks, const Problem& problem, const engines::EngineRequest& request,
                               const RankLimits& limits) {
  RankSearch search(ranks, problem, request, limits);
  return engines::checked_outcome("search by ranks", problem, search.solve());
}

}  // namespace bnnplan::ranks
