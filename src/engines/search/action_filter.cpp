// Propagation through the next state. With the state known, the rows of a step and the conditions on the next
// state are rows over action, auxiliary and next-state bits; bounds propagation over them forces some action
// bits: a computer that is about to fail has to be rebooted. The next state has to satisfy either the
// conditions of a state or the goal; action bits that both force to the same value are those of every useful
// action. No useful action is lost, since propagation derives only what follows.
//
// It costs a pass over the rows per state, microseconds, so it pays off for classes of many actions, each of
// which then costs a comparison of a word; with 2^20 actions most of them never cost more than that.
#include "bnnplan/engines/search/action_filter.hpp"

namespace bnnplan::engines {

ActionFilter::ActionFilter(const PackedProblem& problem, LimitWatch& watch)
    : problem_(problem),
      actions_(problem.problem.action.bit_count()),
      rows_(problem.problem),
      alive_(rows_.variable_count(), watch),
      goal_(rows_.variable_count(), watch),
      mask_(problem.action_words, 0),
      value_(problem.action_words, 0) {
  rows_.add_to(alive_, StepRows::Next::alive);
  rows_.add_to(goal_, StepRows::Next::goal);
}

bool ActionFilter::set_state(const std::uint64_t* state, bool last) {
  rows_.set_known(state, known_);
  const bool goal = propagate(goal_, mask_, value_);
  if (last) return goal;
  Words mask, value;
  if (!propagate(alive_, mask, value)) return goal;
  if (!goal) {
    mask_ = std::move(mask);
    value_ = std::move(value);
    return true;
  }
  for (std::size_t i = 0; i < mask_.size(); ++i) {
    mask_[i] &= mask[i] & ~(value_[i] ^ value[i]);
    value_[i] &= mask_[i];
  }
  return true;
}

// The forced bits. False if there is no solution.
bool ActionFilter::propagate(BitSearch& search, Words& mask, Words& value) const {
  mask.assign(problem_.action_words, 0);
  value.assign(problem_.action_words, 0);
  if (!search.start(known_)) return false;
  for (std::uint32_t i = 0; i < actions_; ++i) {
    if (search.value(i) == unknown_bit) continue;
    set_bit(mask.data(), i);
    if (search.value(i) == 1) set_bit(value.data(), i);
  }
  return true;
}

}  // namespace bnnplan::engines
