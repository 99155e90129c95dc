// Last steps. Of the last step of a plan only states that satisfy the goal matter, and nothing is sent; if
// hardly any state is reached twice, the same is done with the last two steps (engines/search/last_steps.cpp
// says why, two_last_steps.cpp how): they need neither memory nor messages, and are most of the work. When
// that begins and ends is decided by sums over all ranks.
//
// A plan of the bucket's least cost ends the search. A large phase that looks for goals is processed in
// parts, after each of which the best plan is shared: nodes by intervals of their costs, the cheapest first,
// whose last steps are many and fast; and nodes of one interval by bits of the hashes of their states, if
// there are very many. Both are the same for any number of ranks.
#include <algorithm>
#include <bit>
#include <stdexcept>

#include "bnnplan/ranks/rank_search.hpp"

namespace bnnplan::ranks {

namespace {

// For all ranks, in evaluations: some ten milliseconds of one rank.
constexpr std::int64_t part_evaluations = std::int64_t{1} << 18;
constexpr std::int64_t part_nodes = std::int64_t{1} << 13;
constexpr std::int64_t most_intervals = 16, most_slices = 16;
constexpr std::int64_t enough_samples = std::int64_t{1} << 16;
constexpr std::size_t sliced_per_evaluation = 16;  // sliced evaluations in the time of one

}  // namespace

// The layer before the last two steps, if they may be evaluated together, and the last layer.
bool RankSearch::looks_for_goals() const {
  return layer_ + 1 == horizon_ || (layer_ + 2 == horizon_ && run_.estimate->empty() && run_.weights.empty());
}

// False if a limit was reached.
bool RankSearch::run_course() {
  if (course_.layer != layer_) {  // otherwise it continues from a checkpoint
    if (layer_ + 2 == horizon_) decide_two();
    begin_course();
  }
  later_ = std::move(due_);
  due_.clear();
  for (; course_.interval < course_.intervals; ++course_.interval, course_.slices = 0) {
    if (course_.slices == 0 && !begin_interval()) continue;
    for (; course_.slice < course_.slices; ++course_.slice) {
      const auto other = std::partition(later_.begin(), later_.end(), [&](const DueEntry& due) {
        if (interval_of(due) != course_.interval) return true;
        if (course_.slices == 1) return false;
        scratch_.resize(run_.packed.state_words);
        nodes_->copy_state(due.entry.node, scratch_.data());
        const auto bits = static_cast<std::uint64_t>(course_.slices) - 1;
        return (nodes_->hash_of(scratch_.data()) & bits) != static_cast<std::uint64_t>(course_.slice);
      });
      due_.assign(other, later_.end());
      later_.erase(other, later_.end());
      if (!work_off()) return false;
      share_upper();
      if (upper_ <= key_) return true;  // nothing is better
    }
  }
  if (!later_.empty()) throw std::logic_error("a node that belongs to no part of its phase");
  course_ = {};
  if (layer_ + 2 == horizon_ && two_ever_) share_sample();
  return true;
}

void RankSearch::begin_course() {
  course_ = {layer_, 0, none, 1, 0, 1, 0};
  if (layer_ + 1 < horizon_ && !two_ever_) return;
  std::int64_t work = 0;
  for (const DueEntry& due : due_) work += work_of(due);
  sum({&work, 1});
  if (work < part_evaluations) return;
  std::int64_t ends[] = {none, none};  // the least and the largest cost
  for (const DueEntry& due : due_) {
    const std::int64_t cost = (*nodes_)[due.entry.node].cost;
    ends[0] = std::min(ends[0], cost);
    ends[1] = std::min(ends[1], -cost);
  }
  minimum(ends);
  const std::int64_t range = -ends[1] - ends[0];
  course_.low = ends[0];
  course_.width = range / most_intervals + 1;
  course_.intervals = range / course_.width + 1;
  course_.slices = 0;
}

// Decides into how many slices the interval is divided. False if it is empty.
bool RankSearch::begin_interval() {
  std::int64_t sums[] = {0, 0};
  for (const DueEntry& due : later_) {
    if (interval_of(due) != course_.interval) continue;
    sums[0] += work_of(due);
    ++sums[1];
  }
  sum(sums);
  if (sums[1] == 0) return false;
  const std::int64_t most =
      std::clamp<std::int64_t>(std::min(sums[0] / part_evaluations, sums[1] / part_nodes), 1, most_slices);
  course_.slices = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(most)));
  course_.slice = 0;
  return true;
}

std::int64_t RankSearch::interval_of(const DueEntry& due) const {
  return ((*nodes_)[due.entry.node].cost - course_.low) / course_.width;
}

// The work in evaluations; a guess if classes are not made yet.
std::int64_t RankSearch::work_of(const DueEntry& due) {
  const RankNodes::Node& node = (*nodes_)[due.entry.node];
  if (due.entry.next_class != node.next_class) return 0;
  std::size_t evaluations = 1;
  if ((node.next_class & two_steps) != 0 || becomes_two(due)) {
    pairs_.visit_pairs(due.key - node.cost, [&](std::uint32_t first, std::uint32_t second) {
      evaluations += pairs_.evaluations(first, second);
    });
    if (two_last_steps_->slices()) evaluations = evaluations / sliced_per_evaluation + 1;
  } else if (node.next_class < run_.actions.class_count()) {
    const engines::ActionTable::ActionClass& actions = run_.actions[node.next_class];
    evaluations = actions.end - actions.begin;
  }
  return static_cast<std::int64_t>(evaluations);
}

void RankSearch::offer(Goal goal) {
  if (!goal_ || goal < *goal_) goal_ = std::move(goal);
}

// Processes the goals found by the batches of last steps.
void RankSearch::find_goals() {
  const std::size_t words = run_.packed.state_words, action_words = run_.packed.action_words;
  const std::int64_t weight = run_.weight(layer_), least = run_.actions[0].cost;
  for (std::size_t i = 0; i < batch_count_; ++i) {
    const engines::Successors::Batch& batch = batches_[i];
    for (std::size_t at = 0; at < batch.pairs.size(); ++at) {
      const std::uint64_t* next = batch.next.data() + at * words;
      const auto [request, action] = batch.pairs[at];
      const std::int64_t step = run_.actions.cost(action) - least +
                                run_.packed.next_cost.evaluate(nullptr, nullptr, next) -
                                run_.packed.least_next_cost;
      const std::int64_t cost = costs_[request] + weight * step;
      if (cost >= upper_ || (goal_ && cost > goal_->cost)) continue;
      Goal goal{{cost, layer_, hashes_[request]}, {}};
      const std::uint64_t* bits = run_.actions.bits(action);
      goal.tail.assign(bits, bits + action_words);
      goal.tail.insert(goal.tail.end(), next, next + words);
      offer(std::move(goal));
    }
  }
}

// Whether the last two steps of a node not yet started are to be evaluated but not stored. Its key is then
// its cost, so no pair of classes is skipped.
bool RankSearch::becomes_two(const DueEntry& due) const {
  const RankNodes::Node& node = (*nodes_)[due.entry.node];
  return two_now_ && layer_ + 2 == horizon_ && node.next_class == 0 && due.key == node.cost;
}

// Asks for all pairs of classes with this total cost. Returns the number of evaluations needed. The state is
// filled in later.
std::size_t RankSearch::ask_two(std::int64_t cost) {
  std::size_t evaluations = 1;
  pairs_.visit_pairs(cost, [&](std::uint32_t first, std::uint32_t second) {
    questions_.push_back({nullptr, first, second});
    evaluations += pairs_.evaluations(first, second);
  });
  return evaluations;
}

void RankSearch::find_two_goals() {
  if (questions_.empty()) return;
  const std::size_t action_words = run_.packed.action_words;
  std::vector<const TwoTaken*> taken_of;  // by question
  for (const TwoTaken& taken : taken_two_) taken_of.resize(taken.end_question, &taken);
  for (std::size_t i = 0; i < two_last_steps_->part_count(); ++i) {
    const engines::TwoLastSteps::Found& found = two_last_steps_->found(i);
    evaluations_ += static_cast<std::int64_t>(found.evaluations);
    two_evaluations_ += static_cast<std::int64_t>(found.evaluations);
    if (samples_) {
      new_sample_.insert(new_sample_.end(), found.sample.begin(), found.sample.end());
      sampled_ += static_cast<std::int64_t>(found.sample.size());
    }
    for (const engines::TwoLastSteps::Way& way : found.ways) {
      const TwoTaken& taken = *taken_of[way.question];
      const std::int64_t cost = taken.cost + way.cost;
      if (cost >= upper_ || (goal_ && cost > goal_->cost)) continue;
      Goal goal{{cost, layer_, taken.hash}, {}};
      for (const auto& [action, state] : {std::pair(way.first, way.between()), {way.last, way.next()}}) {
        const std::uint64_t* bits = run_.actions.bits(action);
        goal.tail.insert(goal.tail.end(), bits, bits + action_words);
        goal.tail.insert(goal.tail.end(), state, state + run_.packed.state_words);
      }
      offer(std::move(goal));
    }
  }
}

// Called before a phase of the layer in question.
void RankSearch::decide_two() {
  std::int64_t sums[] = {found_successors_, static_cast<std::int64_t>(nodes_->size()), sampled_,
                         static_cast<std::int64_t>(sample_.size())};
  sum(sums);
  const auto number = [&](int i) { return static_cast<std::uint64_t>(sums[i]); };
  two_now_ = number(0) >= least_successors_ &&
             !two_last_steps_->repeat(number(0), number(1), number(2), number(3), false);
  two_ever_ = two_ever_ || two_now_;
  samples_ = sums[2] < enough_samples;
}

// After such a phase: hashes of the states between go to the ranks that count them.
void RankSearch::share_sample() {
  for (engines::Words& words : outgoing_) words.clear();
  for (const std::uint64_t hash : new_sample_)
    outgoing_[static_cast<std::size_t>(hash % static_cast<std::uint64_t>(ranks_.size()))].push_back(hash);
  new_sample_.clear();
  for (const std::uint64_t hash : ranks_.exchange(outgoing_)) sample_.insert(hash);
  ++exchanges_;
}

}  // namespace bnnplan::ranks
