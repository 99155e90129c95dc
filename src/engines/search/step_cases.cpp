// Cases as a proof needs them. In the tree of a depth-first search each leaf is a case; if a variable is made
// true first, and that is refuted, then "not true" follows from what was shown, and only the true variables
// have to be named:
//
//   a1: refuted                    not a1
//   (not a1) a2 a3: refuted        not a2 or not a3
//   (not a1) a2 (not a3): refuted  not a2
//   (not a1) (not a2): refuted     nothing is left
//
// So the last case is the result, and there are as many cases as the tree has leaves. For a step whose
// actions exclude each other this is one per action.
//
// A checker sees everything that propagation sees here, and more: with all action bits given, the network's
// outputs follow.
//
// Propagating all rows of a step for each case is most of the work if transitions are known. If a state has
// few actions, and each of them settles the whole step, as is usual, that is checked once for each state and
// action, and the cases of all layers are the actions.
#include "bnnplan/engines/search/step_cases.hpp"

#include <algorithm>

namespace bnnplan::engines {

namespace {

constexpr std::size_t most_cases_by_actions = 64;

class Splitter {
 public:
  Splitter(BitSearch& search, const CaseSplit& split) : search_(search), split_(split) {}

  // The cases of the current assignment, from the given choice on.
  bool run(std::size_t from) {
    while (true) {
      const CaseSplit::Look look = split_.look(first_open(from));
      if (look == CaseSplit::Look::given_up) return false;
      if (look == CaseSplit::Look::refuted) return split_.refuted(made_true_);
      from = first_open(from);
      if (from == split_.choices.size()) return false;
      const std::uint32_t variable = split_.choices[from];
      const std::size_t assigned = search_.assigned();
      made_true_.push_back(variable);
      if (!(search_.assign(variable, true) ? run(from + 1) : split_.refuted(made_true_))) return false;
      made_true_.pop_back();
      search_.undo_to(assigned);
      if (!search_.assign(variable, false)) return split_.refuted(made_true_);
    }
  }

 private:
  std::size_t first_open(std::size_t from) const {
    while (from < split_.choices.size() && search_.value(split_.choices[from]) != unknown_bit) ++from;
    return from;
  }

  BitSearch& search_;
  const CaseSplit& split_;
  std::vector<std::uint32_t> made_true_;
};

}  // namespace

bool split_cases(BitSearch& search, const CaseSplit& split) { return Splitter(search, split).run(0); }

StepCases::StepCases(const PackedProblem& problem, LimitWatch& watch)
    : problem_(problem),
      rows_(problem.problem),
      alive_{{rows_.variable_count(), watch}, 0},
      goal_{{rows_.variable_count(), watch}, 0},
      actions_(problem.problem.action.bit_count(), watch) {
  alive_.cost_row = rows_.add_to(alive_.search, StepRows::Next::alive);
  goal_.cost_row = rows_.add_to(goal_.search, StepRows::Next::goal);
  for (const Term& term : problem.problem.objective.terms)
    (term.coefficient < 0 ? least_cost_ : largest_cost_) += term.coefficient;
  add_cost_row(alive_);
  add_cost_row(goal_);
  add_action_rows();
  for (std::uint32_t i = 0; i < rows_.first_auxiliary(); ++i) choices_.push_back(i);
  for (const std::uint32_t bit : problem.unlearned) choices_.push_back(rows_.first_next() + bit);
  for (std::uint32_t i = rows_.first_auxiliary(); i < rows_.first_next(); ++i) choices_.push_back(i);
}

// The row's bound is part of the question.
void StepCases::add_cost_row(Rows& rows) {
  std::vector<BitSearch::Summand> summands;
  for (const Term& term : problem_.problem.objective.terms) {
    const std::uint32_t first = term.bit.place == Place::action ? 0 : rows_.first_next();
    summands.push_back({term.coefficient, first + term.bit.index});
  }
  rows.search.add_constraint(summands, Comparison::at_most, 0);
}

void StepCases::add_action_rows() {
  std::vector<BitSearch::Summand> summands;
  for (const auto* rows : {&problem_.problem.constraints, &problem_.problem.transitions}) {
    for (const LinearConstraint& row : *rows) {
      summands.clear();
      std::vector<Term> of_state;
      for (const Term& term : row.terms) {
        if (term.bit.place == Place::action) summands.push_back({term.coefficient, term.bit.index});
        if (term.bit.place == Place::state) of_state.push_back(term);
      }
      if (summands.size() + of_state.size() < row.terms.size()) continue;
      actions_.add_constraint(summands, row.comparison, row.bound);
      action_row_parts_.emplace_back(of_state);
    }
  }
  summands.clear();
  for (const Term& term : problem_.problem.objective.terms) {
    if (term.bit.place == Place::action) summands.push_back({term.coefficient, term.bit.index});
    least_action_cost_ += term.bit.place == Place::action ? std::min<std::int64_t>(term.coefficient, 0) : 0;
    largest_action_cost_ += term.bit.place == Place::action ? std::max<std::int64_t>(term.coefficient, 0) : 0;
  }
  actions_.add_constraint(summands, Comparison::at_most, 0);
}

bool StepCases::start(Rows& rows, const Question& question, bool any_cost) {
  rows_.set_known(question.state, known_);
  known_.resize(std::max(known_.size(), rows.cost_row + 1), 0);
  const bool bounded = question.most_cost && !any_cost;
  known_[rows.cost_row] = bounded ? -(least_cost_ + *question.most_cost) : -largest_cost_;
  return rows.search.start(known_);
}

bool StepCases::refute(const Question& question) {
  if (!problem_.says_all() && refute_by_actions(question)) {
    return std::all_of(by_actions_.begin(), by_actions_.end(), question.refuted);
  }
  Rows& rows = question.last ? goal_ : alive_;
  if (!start(rows, question, false)) return question.refuted({});
  const auto look_at = [&](std::size_t first_open) { return look(rows, question, first_open); };
  return split_cases(rows.search, {choices_, look_at, question.refuted});
}

// Collects the cases. False if there are many, or if an action leaves something open.
bool StepCases::refute_by_actions(const Question& question) {
  by_actions_.clear();
  known_.assign(action_row_parts_.size() + 1, 0);
  for (std::size_t i = 0; i < action_row_parts_.size(); ++i)
    known_[i] = action_row_parts_[i].evaluate(nullptr, question.state, nullptr);
  known_.back() = question.most_cost ? -(least_action_cost_ + *question.most_cost) : -largest_action_cost_;
  const auto refuted = [&](std::span<const std::uint32_t> made_true) {
    by_actions_.emplace_back(made_true.begin(), made_true.end());
    return by_actions_.size() <= most_cases_by_actions;
  };
  if (!actions_.start(known_)) return refuted({});
  const std::span<const std::uint32_t> choices(choices_.data(), rows_.first_auxiliary());
  const auto look = [&](std::size_t first_open) {
    if (first_open < choices.size()) return CaseSplit::Look::open;
    return settles(question) ? CaseSplit::Look::refuted : CaseSplit::Look::given_up;
  };
  return split_cases(actions_, {choices, look, refuted});
}

// Whether the state and the action assigned in `actions_` determine the whole step, or contradict it.
bool StepCases::settles(const Question& question) {
  Words key{question.last ? 1u : 0u};
  key.insert(key.end(), question.state, question.state + problem_.state_words);
  key.resize(key.size() + problem_.action_words, 0);
  std::uint64_t* action = key.data() + 1 + problem_.state_words;
  for (std::uint32_t bit = 0; bit < rows_.first_auxiliary(); ++bit) {
    if (actions_.value(bit) == 1) set_bit(action, bit);
  }
  if (settled_.count(key) > 0) return true;
  Rows& rows = question.last ? goal_ : alive_;
  bool fine = start(rows, question, true);
  for (std::uint32_t bit = 0; bit < rows_.first_auxiliary() && fine; ++bit)
    fine = rows.search.assign(bit, bit_of(action, bit));
  if (fine && problem_.network) fine = assign_outputs(rows, question.state);
  for (std::uint32_t variable = 0; variable < rows_.variable_count() && fine; ++variable) {
    if (rows.search.value(variable) == unknown_bit) return false;
  }
  settled_.insert(std::move(key));
  return true;
}

CaseSplit::Look StepCases::look(Rows& rows, const Question& question, std::size_t first_open) {
  if (first_open < rows_.first_auxiliary()) return CaseSplit::Look::open;
  if (problem_.says_all()) return CaseSplit::Look::refuted;
  BitSearch& search = rows.search;
  if (problem_.network && !assign_outputs(rows, question.state)) return CaseSplit::Look::refuted;
  next_.assign(problem_.state_words, 0);
  for (std::uint32_t bit = 0; bit < problem_.problem.state.bit_count(); ++bit) {
    const BitValue value = search.value(rows_.first_next() + bit);
    if (value == unknown_bit) return CaseSplit::Look::open;
    if (value == 1) set_bit(next_.data(), bit);
  }
  return question.hopeless(next_.data()) ? CaseSplit::Look::refuted : CaseSplit::Look::open;
}

// Assigns the network's bits of the next state, with all action bits given. False if that fails.
bool StepCases::assign_outputs(Rows& rows, const std::uint64_t* state) {
  action_.assign(problem_.action_words, 0);
  for (std::uint32_t bit = 0; bit < rows_.first_auxiliary(); ++bit) {
    if (rows.search.value(bit) == 1) set_bit(action_.data(), bit);
  }
  inputs_.assign(problem_.network->input_words(), 0);
  outputs_.assign(problem_.network->output_words(), 0);
  next_.assign(problem_.state_words, 0);
  problem_.state_to_input.apply(state, inputs_.data());
  problem_.action_to_input.apply(action_.data(), inputs_.data());
  problem_.network->evaluate(inputs_.data(), 1, outputs_.data(), workspace_);
  problem_.output_to_next.apply(outputs_.data(), next_.data());
  return std::all_of(problem_.problem.network_outputs.begin(), problem_.problem.network_outputs.end(),
                     [&](std::uint32_t bit) {
                       return rows.search.assign(rows_.first_next() + bit, bit_of(next_.data(), bit));
                     });
}

}  // namespace bnnplan::engines
