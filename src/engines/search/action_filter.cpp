// Propagation through the next state. With the state known, the rows of a step and the conditions on the next
// state are rows over action, auxiliary and next-state bits; bounds propagation over them forces some action
// bits: a computer that is about to fail has to be rebooted. The next state has to satisfy the conditions of a
// state or the goal; bits that both force to the same value are what every action of use has. Nothing that is
// of use is lost, since propagation only derives what follows.
//
// It costs a pass over the rows for a state, microseconds, and so is worth it for classes of many actions, each
// of which is then a comparison of a word; with 2^20 actions that is all that most of them ever cost.
#include "engines/search/action_filter.hpp"

#include <algorithm>

namespace bnnplan {

namespace {

bool is_of_state(const LinearConstraint& row) {
  return std::all_of(row.terms.begin(), row.terms.end(),
                     [](const Term& term) { return term.bit.place == Place::state; });
}

std::size_t variable_count(const Problem& problem) {
  return problem.action.bit_count() + problem.auxiliary.bit_count() + problem.state.bit_count();
}

}  // namespace

ActionFilter::ActionFilter(const PackedProblem& problem, LimitWatch& watch)
    : problem_(problem),
      actions_(problem.problem.action.bit_count()),
      alive_(variable_count(problem.problem), watch),
      goal_(variable_count(problem.problem), watch),
      mask_(problem.action_words, 0),
      value_(problem.action_words, 0) {
  for (const auto* rows : {&problem.problem.constraints, &problem.problem.transitions}) {
    for (const LinearConstraint& row : *rows) {
      if (is_of_state(row)) continue;
      std::vector<Term> terms;
      std::copy_if(row.terms.begin(), row.terms.end(), std::back_inserter(terms),
                   [](const Term& term) { return term.bit.place == Place::state; });
      state_parts_.emplace_back(terms);
    }
  }
  add_rows(alive_, NextState::alive);
  add_rows(goal_, NextState::goal);
}

void ActionFilter::add_rows(BitSearch& search, NextState next) const {
  const std::uint32_t first_next = actions_ + problem_.problem.auxiliary.bit_count();
  std::vector<BitSearch::Summand> summands;
  const auto add = [&](const LinearConstraint& row, bool over_next) {
    summands.clear();
    for (const Term& term : row.terms) {
      const std::uint32_t index = term.bit.index;
      if (term.bit.place == Place::action) summands.push_back({term.coefficient, index});
      if (term.bit.place == Place::auxiliary) summands.push_back({term.coefficient, actions_ + index});
      if (term.bit.place == Place::next || over_next)
        summands.push_back({term.coefficient, first_next + index});
    }
    search.add_constraint(summands, row.comparison, row.bound);
  };
  // The steps' rows first, in the order of state_parts_.
  const Problem& problem = problem_.problem;
  for (const auto* rows : {&problem.constraints, &problem.transitions}) {
    for (const LinearConstraint& row : *rows) {
      if (!is_of_state(row)) add(row, false);
    }
  }
  if (next == NextState::goal) {
    for (const LinearConstraint& row : problem.goal) add(row, true);
    return;
  }
  for (const auto* rows : {&problem.constraints, &problem.transitions}) {
    for (const LinearConstraint& row : *rows) {
      if (is_of_state(row)) add(row, true);
    }
  }
}

bool ActionFilter::set_state(const std::uint64_t* state, bool last) {
  known_.assign(state_parts_.size() + problem_.problem.constraints.size() +
                    problem_.problem.transitions.size() + problem_.problem.goal.size(),
                0);
  for (std::size_t i = 0; i < state_parts_.size(); ++i) {
    known_[i] = state_parts_[i].evaluate(nullptr, state, nullptr);
  }
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

// What is forced. False if nothing is possible.
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

}  // namespace bnnplan
