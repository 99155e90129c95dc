// Backtracking with bounds propagation over rows  sum a_i x_i >= b,  as in pseudo-Boolean solvers:
//
//   slack = (largest sum still possible) - b;   slack < 0: conflict;   |a_i| > slack: x_i takes the value
//   that a_i favours.
//
// The slack is updated when a variable is assigned against its sign and restored on undo; summands are sorted
// by magnitude, so a row with enough slack costs one comparison. There is no learning: these are the few
// variables of one step, and propagation alone nearly always settles them.
#include "bnnplan/engines/search/bit_search.hpp"

#include <algorithm>

namespace bnnplan::engines {

namespace {

std::int64_t magnitude(std::int64_t value) { return value < 0 ? -value : value; }

}  // namespace

BitSearch::BitSearch(std::size_t variables, LimitWatch& watch)
    : watch_(watch), occurrences_(variables), values_(variables, unknown_bit) {}

void BitSearch::add_constraint(std::span<const Summand> summands, Comparison comparison, std::int64_t bound) {
  if (comparison != Comparison::at_most) add_row(summands, +1, bound);
  if (comparison != Comparison::at_least) add_row(summands, -1, bound);
  ++constraints_;
}

void BitSearch::add_row(std::span<const Summand> summands, std::int64_t sign, std::int64_t bound) {
  const auto number = static_cast<std::uint32_t>(rows_.size());
  Row row{{}, 0, sign * bound, constraints_, sign};
  for (const Summand& summand : summands) {
    const std::int64_t coefficient = sign * summand.coefficient;
    row.summands.push_back({coefficient, summand.variable});
    if (coefficient > 0) row.largest_sum += coefficient;
    occurrences_[summand.variable].push_back({number, coefficient});
  }
  std::stable_sort(row.summands.begin(), row.summands.end(), [](const Summand& a, const Summand& b) {
    return magnitude(a.coefficient) > magnitude(b.coefficient);
  });
  rows_.push_back(std::move(row));
  slack_.push_back(0);
}

bool BitSearch::start(std::span<const std::int64_t> known) {
  std::fill(values_.begin(), values_.end(), unknown_bit);
  trail_.clear();
  propagated_ = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    const std::int64_t given = known.empty() ? 0 : row.sign * known[row.constraint];
    slack_[i] = row.largest_sum + given - row.bound;
  }
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    if (!propagate_row(i)) return false;
  }
  return propagate();
}

bool BitSearch::assign(std::uint32_t variable, bool value) {
  if (values_[variable] != unknown_bit) return values_[variable] == BitValue{value};
  return set_and_propagate(variable, value);
}

bool BitSearch::set_and_propagate(std::uint32_t variable, bool value) {
  set(variable, value);
  return propagate();
}

void BitSearch::set(std::uint32_t variable, bool value) {
  values_[variable] = BitValue{value};
  trail_.push_back(variable);
  for (const Occurrence& occurrence : occurrences_[variable]) {
    if ((occurrence.coefficient > 0) != value) slack_[occurrence.row] -= magnitude(occurrence.coefficient);
  }
}

bool BitSearch::propagate() {
  while (propagated_ < trail_.size()) {
    const std::uint32_t variable = trail_[propagated_++];
    const bool value = values_[variable] != 0;
    for (const Occurrence& occurrence : occurrences_[variable]) {
      if ((occurrence.coefficient > 0) != value && !propagate_row(occurrence.row)) return false;
    }
  }
  return true;
}

bool BitSearch::propagate_row(std::uint32_t row) {
  if (slack_[row] < 0) return false;
  for (const Summand& summand : rows_[row].summands) {
    if (magnitude(summand.coefficient) <= slack_[row]) break;
    if (values_[summand.variable] == unknown_bit) set(summand.variable, summand.coefficient > 0);
  }
  return true;
}

void BitSearch::undo_to(std::size_t assigned) {
  while (trail_.size() > assigned) {
    const std::uint32_t variable = trail_.back();
    const bool value = values_[variable] != 0;
    for (const Occurrence& occurrence : occurrences_[variable]) {
      if ((occurrence.coefficient > 0) != value) slack_[occurrence.row] += magnitude(occurrence.coefficient);
    }
    values_[variable] = unknown_bit;
    trail_.pop_back();
  }
  propagated_ = assigned;
}

bool BitSearch::enumerate(std::span<const std::uint32_t> choices, std::span<const std::uint32_t> others,
                          const std::function<bool()>& visit) {
  choices_ = choices;
  others_ = others;
  return choose(0, visit);
}

void BitSearch::look_at_clock() {
  if (++branchings_ % 1024 == 0) watch_.check_time();
}

bool BitSearch::choose(std::size_t from, const std::function<bool()>& visit) {
  while (from < choices_.size() && values_[choices_[from]] != unknown_bit) ++from;
  const std::size_t assigned = trail_.size();
  if (from == choices_.size()) {
    const bool go_on = !complete(0) || visit();
    undo_to(assigned);
    return go_on;
  }
  look_at_clock();
  for (const bool value : {false, true}) {
    const bool go_on = !set_and_propagate(choices_[from], value) || choose(from + 1, visit);
    undo_to(assigned);
    if (!go_on) return false;
  }
  return true;
}

bool BitSearch::complete(std::size_t from) {
  while (from < others_.size() && values_[others_[from]] != unknown_bit) ++from;
  if (from == others_.size()) return true;
  look_at_clock();
  const std::size_t assigned = trail_.size();
  for (const bool value : {false, true}) {
    if (set_and_propagate(others_[from], value) && complete(from + 1)) return true;
    undo_to(assigned);
  }
  return false;
}

std::size_t add_step_constraints(BitSearch& search, const Problem& problem) {
  const std::uint32_t first_state = problem.action.bit_count();
  const std::uint32_t first_auxiliary = first_state + problem.state.bit_count();
  std::size_t count = 0;
  const auto add = [&](const LinearConstraint& constraint) {
    std::vector<BitSearch::Summand> summands;
    for (const Term& term : constraint.terms) {
      if (term.bit.place == Place::next) return;
      const std::uint32_t first = term.bit.place == Place::action  ? 0
                                  : term.bit.place == Place::state ? first_state
                                                                   : first_auxiliary;
      summands.push_back({term.coefficient, first + term.bit.index});
    }
    search.add_constraint(summands, constraint.comparison, constraint.bound);
    ++count;
  };
  for (const LinearConstraint& constraint : problem.constraints) add(constraint);
  for (const LinearConstraint& transition : problem.transitions) add(transition);
  return count;
}

}  // namespace bnnplan::engines
