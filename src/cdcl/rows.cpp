// Linear rows, normalised to  sum a_i l_i >= b  with a_i > 0 and different variables. The slack is the amount
// by which the literals that are not false exceed b: below 0 is a conflict, and a literal with a_i > slack
// must hold. An equation is two rows, a row with b <= all a_i is a clause. The objective bound is such a row
// that moves. Reasons are built on demand from false literals, as with neurons.
#include <algorithm>
#include <cassert>

#include "bnnplan/base/checked.hpp"
#include "bnnplan/cdcl/solver.hpp"

namespace bnnplan::cdcl {

void Solver::add_row(const LinearRow& row) {
  for (model::AtLeastRow& half : model::at_least_rows(row)) add_at_least(std::move(half));
}

void Solver::add_at_least(model::AtLeastRow row) {
  if (row.bound <= 0) return;
  const bool clause = std::all_of(row.terms.begin(), row.terms.end(),
                                  [&](const WeightedLit& term) { return term.coefficient >= row.bound; });
  if (!clause) {
    add_movable_row(std::move(row.terms), row.bound);
    return;
  }
  std::vector<Lit> literals;
  for (const WeightedLit& term : row.terms) literals.push_back(term.literal);
  add_clause(std::move(literals));
}

std::uint32_t Solver::add_movable_row(std::vector<WeightedLit> terms, std::int64_t bound) {
  assert(level() == 0);
  const auto index = static_cast<std::uint32_t>(rows_.size());
  std::stable_sort(terms.begin(), terms.end(),
                   [](const WeightedLit& a, const WeightedLit& b) { return a.coefficient > b.coefficient; });
  Row& row = rows_.emplace_back();
  row.bound = bound;
  row.slack = checked_negate(bound);
  for (const WeightedLit& term : terms) {
    assert(term.coefficient > 0 && term.literal.var().index < variable_count());
    // A coefficient above the bound could be cut to the bound, but the bound may move.
    row_places_[term.literal.code].push_back({index, term.coefficient});
    const bool counted_false = value(term.literal) < 0 && place_of(term.literal) < counted_;
    if (!counted_false) row.slack = checked_add(row.slack, term.coefficient);
    row.largest = std::max(row.largest, term.coefficient);
  }
  constraint_bytes_ += sizeof(Row) + terms.size() * (sizeof(WeightedLit) + 2 * sizeof(RowPlace));
  row.terms = std::move(terms);
  if (!apply_row(index)) inconsistent_ = true;
  return index;
}

void Solver::raise_bound(std::uint32_t index, std::int64_t bound) {
  assert(level() == 0);
  Row& row = rows_[index];
  if (bound <= row.bound) return;  // what was learned with this bound would not hold with a lower one
  row.slack = checked_add(row.slack, checked_negate(bound - row.bound));
  row.bound = bound;
  if (!apply_row(index)) inconsistent_ = true;
}

bool Solver::apply_row(std::uint32_t index) {
  assert(index < rows_.size());
  const Row& row = rows_[index];
  if (row.slack < 0) {
    conflict_.clear();
    explain_row(index, 0, absent, conflict_);
    assert(follows({Reason::Kind::row, index, 0}, no_literal, conflict_));
    return false;
  }
  for (const WeightedLit& term : row.terms) {
    if (term.coefficient <= row.slack) break;
    if (value(term.literal) == 0) enqueue(term.literal, {Reason::Kind::row, index, 0});
  }
  return true;
}

std::int64_t Solver::coefficient_of(std::uint32_t index, Lit literal) const {
  const std::vector<RowPlace>& places = row_places_[literal.code];
  const auto found =
      std::find_if(places.begin(), places.end(), [&](const RowPlace& place) { return place.row == index; });
  assert(found != places.end());
  return found->coefficient;
}

// Selects candidates_ that add up to `need`.
void Solver::choose(std::int64_t need, std::vector<Lit>& reason) {
  if (need <= 0) return;
  const auto earlier = [](const Candidate& a, const Candidate& b) { return a.place < b.place; };
  std::int64_t largest = 0, total = 0;
  for (const Candidate& candidate : candidates_) {
    largest = std::max(largest, candidate.weight);
    total += candidate.weight;
  }
  assert(total >= need);
  if (largest == 1) {
    if (need < static_cast<std::int64_t>(candidates_.size())) {
      std::nth_element(candidates_.begin(), candidates_.begin() + need, candidates_.end(), earlier);
      candidates_.resize(static_cast<std::size_t>(need));
    }
  } else if (total > need) {
    std::sort(candidates_.begin(), candidates_.end(), earlier);
    // From the latest on, drop what is not needed.
    std::int64_t surplus = total - need;
    for (std::size_t i = candidates_.size(); i-- > 0;) {
      if (candidates_[i].weight > surplus) continue;
      surplus -= candidates_[i].weight;
      candidates_[i].weight = 0;
    }
    std::erase_if(candidates_, [](const Candidate& candidate) { return candidate.weight == 0; });
  }
  for (const Candidate& candidate : candidates_) reason.push_back(candidate.literal);
}

void Solver::explain_row(std::uint32_t index, std::int64_t implied_coefficient, std::uint32_t before,
                         std::vector<Lit>& reason) {
  const Row& row = rows_[index];
  // Without the named false literals, and without the implied one, too little remains.
  std::int64_t need = 1 - row.bound;  // the implied one is subtracted at the end: no sum leaves 64 bits
  candidates_.clear();
  for (const WeightedLit& term : row.terms) {
    need += term.coefficient;
    if (value(term.literal) >= 0) continue;
    const std::uint32_t place = place_of(term.literal);
    if (place >= before) continue;
    const std::uint32_t v = term.literal.var().index;
    if (levels_[v] == 0) {
      need -= term.coefficient;
    } else {
      const bool seen = seen_[v] == 1 || seen_[v] == 2;
      candidates_.push_back({seen ? 0 : place + 1, term.coefficient, term.literal});
    }
  }
  choose(need - implied_coefficient, reason);
}

}  // namespace bnnplan::cdcl
