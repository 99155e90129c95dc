// Unit propagation for the checker, kept simple: a slack for each linear row (the sum of what is not false,
// minus the bound), two watched literals for clauses because proofs have very many of them. A literal whose
// coefficient exceeds the slack must be true; a negative slack is a contradiction.
#include "bnnplan/check/unit_propagator.hpp"

#include <algorithm>
#include <stdexcept>

#include "bnnplan/base/checked.hpp"

namespace bnnplan::checking {

namespace {

constexpr std::uint32_t no_row = 0xffffffff;

}  // namespace

UnitPropagator::UnitPropagator(std::uint32_t variables)
    : places_(2 * variables), watches_(2 * variables), values_(2 * variables, 0), trail_place_(variables) {}

void UnitPropagator::grow(std::uint32_t variables) {
  places_.resize(2 * std::size_t{variables});
  watches_.resize(2 * std::size_t{variables});
  values_.resize(2 * std::size_t{variables}, 0);
  trail_place_.resize(variables);
}

std::uint32_t UnitPropagator::add(PbConstraint constraint) {
  if (rows_.size() == no_row) throw std::length_error("more than 4294967294 constraints");
  const auto index = static_cast<std::uint32_t>(rows_.size());
  Row row;
  row.terms = std::move(constraint.terms);
  row.bound = constraint.bound;
  std::stable_sort(row.terms.begin(), row.terms.end(),
                   [](const auto& a, const auto& b) { return a.coefficient > b.coefficient; });
  row.clause = row.bound > 0 && row.terms.size() >= 2 && row.terms.back().coefficient >= row.bound;
  if (row.clause) {
    // Watched: literals that are not false at the root, as far as there are any.
    std::stable_partition(row.terms.begin(), row.terms.end(),
                          [&](const auto& term) { return values_[term.literal.code] >= 0; });
    for (int i = 0; i < 2; ++i)
      watches_[row.terms[static_cast<std::size_t>(i)].literal.code].push_back(index);
  } else {
    row.slack = checked_negate(row.bound);
    for (const auto& [coefficient, literal] : row.terms) {
      row.slack = checked_add(row.slack, coefficient);
      places_[literal.code].push_back({index, coefficient});
    }
    // Slacks only account for what has been propagated.
    for (const auto& [coefficient, literal] : row.terms) {
      if (values_[literal.code] < 0 && trail_place_[literal.var().index] < head_) row.slack -= coefficient;
    }
  }
  rows_.push_back(std::move(row));
  ++alive_;
  added_.push_back(index);
  return index;
}

void UnitPropagator::remove(std::uint32_t index) {
  Row& row = rows_[index];
  row.alive = false;
  row.terms.clear();
  row.terms.shrink_to_fit();
  // What followed from it no longer does, and a contradiction may be gone.
  if (contradiction_ || (row.reason && std::find(reasons_.begin(), reasons_.end(), index) != reasons_.end()))
    stale_ = true;
  --alive_;
  if (++removed_ > alive_) forget_removed();
}

// Removed rows stay in the lists, ignored, until they are the majority.
void UnitPropagator::forget_removed() {
  for (auto& places : places_)
    std::erase_if(places, [&](const Place& place) { return !rows_[place.row].alive; });
  for (auto& watches : watches_)
    std::erase_if(watches, [&](std::uint32_t index) { return !rows_[index].alive; });
  removed_ = 0;
}

bool UnitPropagator::assign(Lit literal, std::uint32_t reason) {
  if (values_[literal.code] != 0) return values_[literal.code] > 0;
  values_[literal.code] = 1;
  values_[(~literal).code] = -1;
  trail_place_[literal.var().index] = trail_.size();
  trail_.push_back(literal);
  reasons_.push_back(reason);
  if (reason != no_row) rows_[reason].reason = true;
  return true;
}

bool UnitPropagator::visit(std::uint32_t index) {
  const Row& row = rows_[index];
  if (!row.alive) return true;
  if (row.clause) {
    const auto not_false = [&](const auto& term) { return values_[term.literal.code] >= 0; };
    const auto first = std::find_if(row.terms.begin(), row.terms.end(), not_false);
    if (first == row.terms.end()) return false;
    if (std::find_if(first + 1, row.terms.end(), not_false) != row.terms.end()) return true;
    return assign(first->literal, index);
  }
  if (row.slack < 0) return false;
  for (const auto& [coefficient, literal] : row.terms) {
    if (coefficient <= row.slack) break;
    if (values_[literal.code] == 0) assign(literal, index);
  }
  return true;
}

bool UnitPropagator::visit_clauses(Lit literal) {
  const Lit lost = ~literal;
  std::vector<std::uint32_t>& watches = watches_[lost.code];
  std::size_t keep = 0;
  for (std::size_t i = 0; i < watches.size(); ++i) {
    const std::uint32_t index = watches[i];
    if (!rows_[index].alive) continue;
    auto& terms = rows_[index].terms;
    if (terms[0].literal == lost) std::swap(terms[0], terms[1]);
    std::size_t other = 2;
    if (values_[terms[0].literal.code] <= 0) {
      while (other < terms.size() && values_[terms[other].literal.code] < 0) ++other;
      if (other < terms.size()) {
        std::swap(terms[1], terms[other]);
        watches_[terms[1].literal.code].push_back(index);
        continue;
      }
    }
    watches[keep++] = index;
    if (!assign(terms[0].literal, index)) {
      while (++i < watches.size()) watches[keep++] = watches[i];
      watches.resize(keep);
      return false;
    }
  }
  watches.resize(keep);
  return true;
}

bool UnitPropagator::propagate() {
  while (head_ < trail_.size()) {
    const Lit literal = trail_[head_++];
    for (const Place& place : places_[(~literal).code]) rows_[place.row].slack -= place.coefficient;
    if (!visit_clauses(literal)) return false;
    for (const Place& place : places_[(~literal).code]) {
      if (!visit(place.row)) return false;
    }
  }
  return true;
}

void UnitPropagator::undo(std::size_t to) {
  for (std::size_t i = trail_.size(); i-- > to;) {
    const Lit literal = trail_[i];
    if (i < head_) {
      for (const Place& place : places_[(~literal).code]) rows_[place.row].slack += place.coefficient;
    }
    values_[literal.code] = values_[(~literal).code] = 0;
  }
  trail_.resize(to);
  reasons_.resize(to);
  head_ = std::min(head_, to);
}

void UnitPropagator::settle() {
  if (stale_) {  // start over
    undo(0);
    contradiction_ = stale_ = false;
    added_.clear();
    for (std::uint32_t index = 0; index < rows_.size(); ++index) {
      if (rows_[index].alive) added_.push_back(index);
    }
  }
  for (std::size_t i = 0; i < added_.size() && !contradiction_; ++i) {
    if (rows_[added_[i]].alive && (!visit(added_[i]) || !propagate())) contradiction_ = true;
  }
  if (!contradiction_) added_.clear();
  root_ = trail_.size();
}

bool UnitPropagator::implies(const PbConstraint& constraint) {
  settle();
  if (contradiction_ || constraint.bound <= 0) return true;
  // Not (sum a l >= b) is sum a ~l >= total - b + 1: literals with a > b - 1 must be false, and so on with
  // the remainder. For a clause these are all its literals.
  std::int64_t room = constraint.bound - 1;  // the weight that may be true
  for (const auto& [coefficient, literal] : constraint.terms) {
    if (values_[literal.code] > 0) room -= coefficient;
  }
  bool possible = room >= 0;
  for (const auto& [coefficient, literal] : constraint.terms) {
    if (possible && coefficient > room && values_[literal.code] <= 0) possible = assign(~literal, no_row);
  }
  const bool contradiction = !possible || !propagate();
  undo(root_);
  return contradiction;
}

bool UnitPropagator::satisfied_by(std::span<const Lit> literals, std::vector<bool> listed) {
  settle();
  listed.resize(trail_place_.size());
  bool fine = !contradiction_;
  for (const Lit literal : literals) {
    fine = fine && assign(literal, no_row);
    listed[literal.var().index] = false;
  }
  fine = fine && propagate();
  for (const Row& row : rows_) {
    if (!row.alive || !fine) continue;
    std::int64_t sum = 0;
    for (const auto& [coefficient, literal] : row.terms) {
      fine = fine && values_[literal.code] != 0 && !listed[literal.var().index];
      if (values_[literal.code] > 0) sum += coefficient;
    }
    fine = fine && sum >= row.bound;
  }
  solution_ = values_;
  undo(root_);
  return fine;
}

}  // namespace bnnplan::checking
