// A step from a known state as rows over what is not known yet. Rows over the state alone say nothing about
// the step; applied to the next state, they say whether a step may start there.
#include "bnnplan/engines/search/step_rows.hpp"

#include <algorithm>
#include <iterator>

namespace bnnplan::engines {

namespace {

bool is_of_state(const LinearConstraint& row) {
  return std::all_of(row.terms.begin(), row.terms.end(),
                     [](const Term& term) { return term.bit.place == Place::state; });
}

template <class Visit>
void for_each_row(const Problem& problem, bool of_state, Visit&& visit) {
  for (const auto* rows : {&problem.constraints, &problem.transitions}) {
    for (const LinearConstraint& row : *rows) {
      if (is_of_state(row) == of_state) visit(row);
    }
  }
}

}  // namespace

StepRows::StepRows(const Problem& problem) : problem_(problem) {
  for_each_row(problem, false, [&](const LinearConstraint& row) {
    std::vector<Term> terms;
    std::copy_if(row.terms.begin(), row.terms.end(), std::back_inserter(terms),
                 [](const Term& term) { return term.bit.place == Place::state; });
    state_parts_.emplace_back(terms);
  });
}

std::size_t StepRows::add_to(BitSearch& search, Next next) const {
  std::vector<BitSearch::Summand> summands;
  std::size_t count = 0;
  const auto add = [&](const LinearConstraint& row, bool over_next) {
    summands.clear();
    for (const Term& term : row.terms) {
      const std::uint32_t index = term.bit.index;
      if (term.bit.place == Place::action) summands.push_back({term.coefficient, index});
      if (term.bit.place == Place::auxiliary)
        summands.push_back({term.coefficient, first_auxiliary() + index});
      if (term.bit.place == Place::next || over_next)
        summands.push_back({term.coefficient, first_next() + index});
    }
    search.add_constraint(summands, row.comparison, row.bound);
    ++count;
  };
  // The steps' rows first, in the order of state_parts_.
  for_each_row(problem_, false, [&](const LinearConstraint& row) { add(row, false); });
  if (next == Next::goal) {
    for (const LinearConstraint& row : problem_.goal) add(row, true);
  } else {
    for_each_row(problem_, true, [&](const LinearConstraint& row) { add(row, true); });
  }
  return count;
}

void StepRows::set_known(const std::uint64_t* state, std::vector<std::int64_t>& known) const {
  known.assign(problem_.constraints.size() + problem_.transitions.size() + problem_.goal.size(), 0);
  for (std::size_t i = 0; i < state_parts_.size(); ++i)
    known[i] = state_parts_[i].evaluate(nullptr, state, nullptr);
}

}  // namespace bnnplan::engines
