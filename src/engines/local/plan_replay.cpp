// Variants of a sequence of actions are replayed together, step by step: the network and the compiled
// transitions run on all of them at once. A variant starts where it differs from the sequence, with the cost
// and violation of the steps before, and ends where its state equals the sequence's again, since the rest is
// then the same.
//
// Constraints over actions and states, and the goal, are measured: the steps themselves are those of the
// problem without them. A step that still has no next state ends the replay, and counts as a violation for
// each step left.
#include "bnnplan/engines/local/plan_replay.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "bnnplan/base/bit_count.hpp"

namespace bnnplan::engines {

namespace {

constexpr std::int64_t most_of_a_row = 1 << 16;
constexpr std::int64_t dead_step = 4;  // violation of each step after one that is impossible

bool is_counted(const LinearConstraint& constraint) {
  return std::all_of(constraint.terms.begin(), constraint.terms.end(), [](const Term& term) {
    return term.bit.place == Place::action || term.bit.place == Place::state;
  });
}

BitValues unpacked(const std::uint64_t* words, std::uint32_t bits) {
  BitValues values(bits);
  for (std::uint32_t i = 0; i < bits; ++i) values[i] = bit_of(words, i) ? 1 : 0;
  return values;
}

void flip_bit(std::uint64_t* words, std::uint32_t bit) { words[bit / 64] ^= std::uint64_t{1} << (bit % 64); }

}  // namespace

void PlanReplay::Distance::add(const LinearConstraint& constraint) {
  const bool single = constraint.terms.size() == 1 && constraint.terms[0].bit.place == Place::state;
  const bool may_be_0 = compare(0, constraint.comparison, constraint.bound);
  const bool may_be_1 =
      single && compare(constraint.terms[0].coefficient, constraint.comparison, constraint.bound);
  if (!single || may_be_0 == may_be_1) {
    rows.push_back({PackedSum(constraint.terms), constraint.comparison, constraint.bound});
    return;
  }
  const std::size_t index = constraint.terms[0].bit.index / 64;
  const std::uint64_t bit = std::uint64_t{1} << (constraint.terms[0].bit.index % 64);
  auto word = std::find_if(words.begin(), words.end(), [&](const Word& known) {
    return known.index == index && (known.mask & bit) == 0;
  });
  if (word == words.end()) word = words.insert(words.end(), {index, 0, 0});
  word->mask |= bit;
  if (may_be_1) word->value |= bit;
}

std::int64_t PlanReplay::Distance::of(const std::uint64_t* action, const std::uint64_t* state) const {
  std::int64_t distance = 0;
  for (const Word& word : words) distance += count_ones((state[word.index] & word.mask) ^ word.value);
  for (const PackedConstraint& row : rows) {
    const std::int64_t difference = row.sum.evaluate(action, state, nullptr) - row.bound;
    const std::int64_t wrong = row.comparison == Comparison::at_least  ? -difference
                               : row.comparison == Comparison::at_most ? difference
                                                                       : std::abs(difference);
    distance += std::clamp<std::int64_t>(wrong, 0, most_of_a_row);
  }
  return distance;
}

Problem PlanReplay::without_distances(const Problem& problem) {
  Problem rest = problem;
  std::erase_if(rest.constraints, is_counted);
  std::erase_if(rest.transitions, is_counted);
  rest.goal.clear();
  rest.refused.clear();
  return rest;
}

PlanReplay::PlanReplay(const Problem& problem, LimitWatch& watch)
    : problem_(problem),
      watch_(watch),
      rest_(without_distances(problem)),
      packed_(rest_),
      program_(packed_),
      solver_(packed_, watch),
      horizon_(static_cast<std::uint32_t>(problem.horizon)),
      problem_words_{packed_.state_words, packed_.action_words} {
  for (const auto* rows : {&problem.constraints, &problem.transitions}) {
    for (const LinearConstraint& row : *rows) {
      if (is_counted(row)) constraints_.add(row);
    }
  }
  for (const LinearConstraint& constraint : problem.goal) goal_.add(constraint);
  for (std::uint32_t i = 0; i < problem.initial.size(); ++i) {
    if (problem.initial[i] == unknown_bit) free_initial_.push_back(i);
  }
  clear();
}

void PlanReplay::clear() {
  actions_.assign(horizon_ * problem_words_.action, 0);
  states_.assign((horizon_ + std::size_t{1}) * problem_words_.state, 0);
  for (std::uint32_t i = 0; i < problem_.initial.size(); ++i) {
    if (problem_.initial[i] == 1) set_bit(states_.data(), i);
  }
  before_.assign(horizon_ + std::size_t{1}, {});
}

void PlanReplay::apply(const Change& change) {
  std::uint64_t* action = actions_.data() + change.step * problem_words_.action;
  if (change.first != Change::none) flip_bit(action, change.first);
  if (change.second != Change::none) flip_bit(action, change.second);
  if (change.initial != Change::none) flip_bit(states_.data(), change.initial);
}

// The next states of the first `count` variants, from `from_` by `action_`.
void PlanReplay::step_all(std::size_t count) {
  evaluations_ += count;
  const auto [state_words, action_words] = problem_words_;
  learned_.assign(count * state_words, 0);
  next_.resize(count * state_words);
  has_next_.assign(count, 1);
  if (packed_.network) {
    const std::size_t input_words = packed_.network->input_words();
    const std::size_t output_words = packed_.network->output_words();
    inputs_.assign(count * input_words, 0);
    outputs_.resize(count * output_words);
    for (std::size_t i = 0; i < count; ++i) {
      packed_.state_to_input.apply(from_.data() + i * state_words, inputs_.data() + i * input_words);
      packed_.action_to_input.apply(action_.data() + i * action_words, inputs_.data() + i * input_words);
    }
    packed_.network->evaluate(inputs_.data(), count, outputs_.data(), workspace_);
    for (std::size_t i = 0; i < count; ++i) {
      packed_.output_to_next.apply(outputs_.data() + i * output_words, learned_.data() + i * state_words);
    }
  }
  if (solver_.trivial()) {
    next_.swap(learned_);
    return;
  }
  for (std::size_t first = 0; first < count; first += lane_count) {
    const std::size_t together = std::min<std::size_t>(lane_count, count - first);
    pairs_.clear();
    for (std::size_t i = first; i < first + together; ++i) {
      pairs_.push_back({from_.data() + i * state_words, action_.data() + i * action_words,
                        learned_.data() + i * state_words});
    }
    if (program_.useful()) program_.run(pairs_, lanes_);
    for (std::size_t i = 0; i < together; ++i) {
      std::uint64_t* next = next_.data() + (first + i) * state_words;
      if (program_.useful() && !lanes_.open(i)) {
        has_next_[first + i] = lanes_.single(i) ? 1 : 0;
        if (lanes_.single(i)) std::copy_n(lanes_.next(i), state_words, next);
        continue;
      }
      found_.clear();
      solver_.append_successors(pairs_[i].state, pairs_[i].action, pairs_[i].learned, found_, 1);
      has_next_[first + i] = found_.empty() ? 0 : 1;
      if (!found_.empty()) std::copy_n(found_.data(), state_words, next);
    }
  }
}

Standing PlanReplay::replay() {
  const auto [state_words, action_words] = problem_words_;
  dead_ = horizon_;
  for (std::uint32_t t = 0; t < horizon_; ++t) {
    const std::uint64_t* state = states_.data() + t * state_words;
    const std::uint64_t* action = actions_.data() + t * action_words;
    from_.assign(state, state + state_words);
    action_.assign(action, action + action_words);
    step_all(1);
    Standing& after = before_[t + 1] = before_[t];
    after.violation += constraints_.of(action, state);
    if (has_next_[0] == 0) {
      dead_ = t;
      after.violation += dead_step * (horizon_ - t);
      for (std::uint32_t rest = t + 1; rest < horizon_; ++rest) before_[rest + 1] = after;
      return after;
    }
    std::copy(next_.begin(), next_.end(),
              states_.begin() + static_cast<std::ptrdiff_t>((t + 1) * state_words));
    after.cost += weight(t) * (packed_.action_cost.evaluate(action, nullptr, nullptr) +
                               packed_.next_cost.evaluate(nullptr, nullptr, next_.data()));
  }
  Standing& all = before_[horizon_];
  all.violation += goal_.of(nullptr, states_.data() + horizon_ * state_words);
  return all;
}

void PlanReplay::evaluate(std::span<const Change> changes, std::vector<Standing>& standings) {
  const auto [state_words, action_words] = problem_words_;
  standings.assign(changes.size(), {std::numeric_limits<std::int32_t>::max(), 0});
  variants_.clear();
  Words states;  // of the variants, in order
  std::vector<std::uint32_t> order(changes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return changes[a].step < changes[b].step; });
  std::size_t begun = 0;
  for (std::uint32_t t = 0; t < horizon_; ++t) {
    if (t % 64 == 63) watch_.check_time();
    // The sequence itself ends here; a change of a later step has no effect.
    for (; begun < order.size() && changes[order[begun]].step == t; ++begun) {
      const Change& change = changes[order[begun]];
      if (t > dead_) {
        standings[order[begun]] = before_[horizon_];
        continue;
      }
      variants_.push_back({order[begun], before_[t]});
      const auto base = states_.begin() + static_cast<std::ptrdiff_t>(t * state_words);
      states.insert(states.end(), base, base + static_cast<std::ptrdiff_t>(state_words));
      if (change.initial != Change::none) {
        flip_bit(states.data() + states.size() - state_words, change.initial);
      }
    }
    if (variants_.empty()) continue;
    from_.swap(states);
    action_.clear();
    for (const Variant& variant : variants_) {
      const auto base = actions_.begin() + static_cast<std::ptrdiff_t>(t * action_words);
      action_.insert(action_.end(), base, base + static_cast<std::ptrdiff_t>(action_words));
      const Change& change = changes[variant.number];
      if (change.step != t) continue;
      std::uint64_t* action = action_.data() + action_.size() - action_words;
      if (change.first != Change::none) flip_bit(action, change.first);
      if (change.second != Change::none) flip_bit(action, change.second);
    }
    step_all(variants_.size());
    states.clear();
    std::size_t open = 0;
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      Variant variant = variants_[i];
      const std::uint64_t* state = from_.data() + i * state_words;
      const std::uint64_t* action = action_.data() + i * action_words;
      const std::uint64_t* next = next_.data() + i * state_words;
      Standing& standing = variant.standing;
      standing.violation += constraints_.of(action, state);
      if (has_next_[i] == 0) {
        standing.violation += dead_step * (horizon_ - t);
        standings[variant.number] = standing;
        continue;
      }
      standing.cost += weight(t) * (packed_.action_cost.evaluate(action, nullptr, nullptr) +
                                    packed_.next_cost.evaluate(nullptr, nullptr, next));
      if (t + 1 == horizon_) {
        standing.violation += goal_.of(nullptr, next);
        standings[variant.number] = standing;
      } else if (t < dead_ && std::equal(next, next + state_words, states_.data() + (t + 1) * state_words)) {
        standings[variant.number] = {
            standing.violation + before_[horizon_].violation - before_[t + 1].violation,
            standing.cost + before_[horizon_].cost - before_[t + 1].cost};
      } else {
        states.insert(states.end(), next, next + state_words);
        variants_[open++] = variant;
      }
    }
    variants_.resize(open);
  }
}

std::optional<Plan> PlanReplay::plan() {
  if (dead_ < horizon_) return std::nullopt;
  const auto [state_words, action_words] = problem_words_;
  Plan plan;
  plan.initial = unpacked(states_.data(), problem_.state.bit_count());
  for (std::uint32_t t = 0; t < horizon_; ++t) {
    const std::uint64_t *state = states_.data() + t * state_words, *next = state + state_words;
    const std::uint64_t* action = actions_.data() + t * action_words;
    PlanStep& step = plan.steps.emplace_back();
    step.action = unpacked(action, problem_.action.bit_count());
    if (!solver_.trivial()) {
      auto auxiliary = solver_.auxiliary_values(state, action, next);
      if (!auxiliary) return std::nullopt;
      step.auxiliary = std::move(*auxiliary);
    }
    step.state = unpacked(next, problem_.state.bit_count());
  }
  return plan;
}

}  // namespace bnnplan::engines
