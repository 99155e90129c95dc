// The bits of a constraint decide when it is checked: constraints over the state once per state, those over
// the action once per action, those over both before any inference for the pair, and only the rest, with bits
// that the network does not give, when a step is solved.
#include "bnnplan/engines/search/packed_problem.hpp"

#include <algorithm>

#include "bnnplan/base/bit_count.hpp"

namespace bnnplan::engines {

PackedSum::PackedSum(std::span<const Term> terms) {
  for (const Term& term : terms) {
    std::vector<Group>& groups = term.bit.place == Place::action  ? action_
                                 : term.bit.place == Place::state ? state_
                                                                  : next_;
    const std::size_t word = term.bit.index / 64;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& candidate) {
      return candidate.coefficient == term.coefficient && candidate.word == word;
    });
    if (group == groups.end()) group = groups.insert(groups.end(), {term.coefficient, 0, word});
    group->mask |= std::uint64_t{1} << (term.bit.index % 64);
  }
}

std::int64_t PackedSum::evaluate(const std::uint64_t* action, const std::uint64_t* state,
                                 const std::uint64_t* next) const {
  std::int64_t result = 0;
  const auto add = [&](std::span<const Group> groups, const std::uint64_t* words) {
    for (const Group& group : groups) {
      result += group.coefficient * count_ones(words[group.word] & group.mask);
    }
  };
  add(action_, action);
  add(state_, state);
  add(next_, next);
  return result;
}

void BitWiring::add(std::uint32_t from, std::uint32_t to) {
  const int rotation = static_cast<int>((to + 64 - from % 64) % 64);
  auto move = std::find_if(moves_.begin(), moves_.end(), [&](const Move& candidate) {
    return candidate.from == from / 64 && candidate.to == to / 64 && candidate.rotation == rotation;
  });
  if (move == moves_.end()) move = moves_.insert(moves_.end(), {from / 64, to / 64, rotation, 0});
  move->mask |= std::uint64_t{1} << (to % 64);
}

void StateConditions::add(const LinearConstraint& constraint) {
  if (constraint.terms.size() == 1) {
    const Term& term = constraint.terms[0];
    const bool may_be_0 = compare(0, constraint.comparison, constraint.bound);
    const bool may_be_1 = compare(term.coefficient, constraint.comparison, constraint.bound);
    const std::uint64_t bit = std::uint64_t{1} << (term.bit.index % 64);
    if (may_be_0 != may_be_1) {
      const std::size_t index = term.bit.index / 64;
      auto word = std::find_if(words_.begin(), words_.end(), [&](const Word& known) {
        return known.index == index && ((known.mask & bit) == 0 || ((known.value & bit) != 0) == may_be_1);
      });
      if (word == words_.end()) word = words_.insert(words_.end(), {index, 0, 0});
      word->mask |= bit;
      if (may_be_1) word->value |= bit;
      return;
    }
  }
  others_.push_back({PackedSum(constraint.terms), constraint.comparison, constraint.bound});
}

bool StateConditions::hold(const std::uint64_t* state) const {
  for (const Word& word : words_) {
    if ((state[word.index] & word.mask) != word.value) return false;
  }
  return all_hold(others_, nullptr, state);
}

PackedProblem::PackedProblem(const Problem& source)
    : problem(source),
      refused(source),
      state_words(std::max<std::size_t>(1, words_for(source.state.bit_count())) + (refused.empty() ? 0 : 1)),
      action_words(std::max<std::size_t>(1, words_for(source.action.bit_count()))) {
  std::vector<bool> learned(source.state.bit_count(), false);
  for (const std::uint32_t bit : source.network_outputs) learned[bit] = true;
  for (std::uint32_t bit = 0; bit < learned.size(); ++bit) {
    if (!learned[bit]) unlearned.push_back(bit);
  }

  const auto sort_in = [&](const LinearConstraint& constraint) {
    bool has_action = false, has_state = false, has_other = false;
    for (const Term& term : constraint.terms) {
      has_action |= term.bit.place == Place::action;
      has_state |= term.bit.place == Place::state;
      has_other |= term.bit.place == Place::auxiliary || term.bit.place == Place::next;
    }
    if (has_other) {
      std::vector<Term> known, open;
      for (const Term& term : constraint.terms) {
        const bool is_open =
            term.bit.place == Place::auxiliary || (term.bit.place == Place::next && !learned[term.bit.index]);
        (is_open ? open : known).push_back(term);
      }
      open_constraints.push_back({PackedSum(known), open, constraint.comparison, constraint.bound});
      return;
    }
    if (has_action && !has_state) return;
    if (!has_action) return state_constraints.add(constraint);
    joint_constraints.push_back({PackedSum(constraint.terms), constraint.comparison, constraint.bound});
  };
  for (const LinearConstraint& constraint : source.constraints) sort_in(constraint);
  for (const LinearConstraint& transition : source.transitions) sort_in(transition);
  for (const LinearConstraint& constraint : source.goal) goal.add(constraint);

  if (source.network) {
    network.emplace(*source.network);
    for (std::uint32_t i = 0; i < source.network_inputs.size(); ++i) {
      const Bit bit = source.network_inputs[i];
      (bit.place == Place::action ? action_to_input : state_to_input).add(bit.index, i);
    }
    for (std::uint32_t i = 0; i < source.network_outputs.size(); ++i) {
      output_to_next.add(i, source.network_outputs[i]);
    }
  }

  std::vector<Term> action_terms, next_terms;
  for (const Term& term : source.objective.terms) {
    (term.bit.place == Place::action ? action_terms : next_terms).push_back(term);
    if (term.bit.place == Place::next && term.coefficient < 0) least_next_cost += term.coefficient;
  }
  action_cost = PackedSum(action_terms);
  next_cost = PackedSum(next_terms);
}

bool all_hold(std::span<const PackedConstraint> constraints, const std::uint64_t* action,
              const std::uint64_t* state) {
  return std::all_of(constraints.begin(), constraints.end(),
                     [&](const PackedConstraint& constraint) { return constraint.holds(action, state); });
}

}  // namespace bnnplan::engines
