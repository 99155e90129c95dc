// A step as a relation. What is known (state, action, network outputs) enters each constraint as one number,
// by popcounts; propagation then runs over the open variables alone. Next-state bits are branched on first,
// so each successor appears once; for the auxiliary variables one assignment per successor is enough, because
// nothing else depends on them. It is not stored: the plan's steps are solved again at the end.
#include "bnnplan/engines/search/step_solver.hpp"

namespace bnnplan::engines {

StepSolver::StepSolver(const PackedProblem& problem, LimitWatch& watch)
    : problem_(problem),
      trivial_(problem.says_all()),
      search_(problem.problem.auxiliary.bit_count() + problem.unlearned.size(), watch),
      known_(problem.open_constraints.size()) {
  const std::uint32_t auxiliaries = problem.problem.auxiliary.bit_count();
  std::vector<std::uint32_t> variable_of_next(problem.problem.state.bit_count(), 0);
  for (std::uint32_t i = 0; i < auxiliaries; ++i) auxiliary_.push_back(i);
  for (const std::uint32_t bit : problem.unlearned) {
    variable_of_next[bit] = auxiliaries + static_cast<std::uint32_t>(next_.size());
    next_.push_back(variable_of_next[bit]);
  }
  for (const OpenConstraint& constraint : problem.open_constraints) {
    std::vector<BitSearch::Summand> summands;
    for (const Term& term : constraint.open) {
      const bool is_auxiliary = term.bit.place == Place::auxiliary;
      summands.push_back(
          {term.coefficient, is_auxiliary ? term.bit.index : variable_of_next[term.bit.index]});
    }
    search_.add_constraint(summands, constraint.comparison, constraint.bound);
  }
}

bool StepSolver::start(const std::uint64_t* state, const std::uint64_t* action, const std::uint64_t* next) {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    known_[i] = problem_.open_constraints[i].known.evaluate(action, state, next);
  }
  return search_.start(known_);
}

void StepSolver::append_successors(const std::uint64_t* state, const std::uint64_t* action,
                                   const std::uint64_t* learned, Words& found, std::size_t most) {
  if (!start(state, action, learned)) return;
  search_.enumerate(next_, auxiliary_, [&] {
    found.insert(found.end(), learned, learned + problem_.state_words);
    std::uint64_t* words = found.data() + found.size() - problem_.state_words;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      if (search_.value(next_[i]) == 1) set_bit(words, problem_.unlearned[i]);
    }
    return --most > 0;
  });
}

std::optional<BitValues> StepSolver::auxiliary_values(const std::uint64_t* state, const std::uint64_t* action,
                                                      const std::uint64_t* next) {
  if (!start(state, action, next)) return std::nullopt;
  for (std::size_t i = 0; i < next_.size(); ++i) {
    if (!search_.assign(next_[i], bit_of(next, problem_.unlearned[i]))) return std::nullopt;
  }
  std::optional<BitValues> values;
  search_.enumerate({}, auxiliary_, [&] {
    values.emplace();
    for (const std::uint32_t variable : auxiliary_) values->push_back(search_.value(variable));
    return false;
  });
  return values;
}

}  // namespace bnnplan::engines
