// Legal states and actions by enumeration (enumeration.cpp): states under invariants and constraints, joint
// actions under constraints alone, once for all states.
#include "bnnplan/rddl/simulate/legal_pairs.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::rddl {

namespace {

void enumerate(const GroundModel& model, Enumeration& enumeration, std::uint32_t first, std::uint32_t end,
               std::optional<std::int64_t> nondefault, std::size_t limit,
               const std::function<void(std::vector<std::int64_t>)>& visit) {
  Enumeration::Search search{{}, nondefault, limit};
  search.slots.resize(end - first);
  std::iota(search.slots.begin(), search.slots.end(), first);
  const auto ending = enumeration.run(search, [&](std::span<const std::int64_t> values) {
    visit({values.begin() + first, values.begin() + end});
    return true;
  });
  if (ending == Enumeration::Ending::limit_reached) {
    throw InputError(*model.file_names.back(),
                     fmt::format("too many combinations: more than {} were examined", limit));
  }
}

}  // namespace

LegalActions::LegalActions(Simulator& simulator, const BitLayout& layout, const EnumerationLimits& limits)
    : simulator_(simulator) {
  const GroundModel& model = simulator.model();
  Enumeration enumeration(model, layout);
  for (const GroundCondition& constraint : model.constraints) enumeration.require(constraint.node);
  enumerate(model, enumeration, model.first_action(), model.first_intermediate(),
            model.max_nondefault_actions, limits.assignments, [&](ActionValues action) {
              if (!simulator.legal_by_itself(action)) return;
              if (candidates_.size() == limits.actions) {
                throw InputError(*model.file_names.back(),
                                 fmt::format("too many joint actions: more than {}", limits.actions));
              }
              candidates_.push_back(std::move(action));
            });
  find_groups();
}

void LegalActions::find_groups() {
  constexpr std::size_t most_groups = 4'000'000;  // of all constraints and candidates
  groups_.resize(simulator_.state_constraints());
  if (candidates_.size() * groups_.size() > most_groups) return;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    if (simulator_.reads_intermediates(k)) continue;
    const std::vector<std::uint32_t> actions = simulator_.actions_read(k);
    std::map<ActionValues, std::uint32_t> numbers;
    for (const ActionValues& candidate : candidates_) {
      ActionValues read;
      for (const std::uint32_t action : actions) read.push_back(candidate[action]);
      const auto number = static_cast<std::uint32_t>(numbers.size());
      groups_[k].of_candidate.push_back(numbers.emplace(std::move(read), number).first->second);
    }
    groups_[k].holds.resize(numbers.size());
  }
}

void LegalActions::find(const StateValues& state, std::vector<std::uint32_t>& legal) const {
  if (groups_.empty() || simulator_.terminated(state)) {
    legal.resize(candidates_.size());
    std::iota(legal.begin(), legal.end(), 0);
    return;
  }
  legal.clear();
  for (const Groups& groups : groups_) std::fill(groups.holds.begin(), groups.holds.end(), -1);
  for (std::uint32_t i = 0; i < candidates_.size(); ++i) {
    bool loaded = false, derived = false, holds = true;
    for (std::size_t k = 0; k < groups_.size() && holds; ++k) {
      const Groups& groups = groups_[k];
      signed char* known = groups.holds.empty() ? nullptr : &groups.holds[groups.of_candidate[i]];
      if (known != nullptr && *known >= 0) {
        holds = *known != 0;
        continue;
      }
      if (!loaded) simulator_.load(state, candidates_[i]);
      loaded = true;
      if (known == nullptr && !derived) {
        simulator_.derive_for_constraints();
        derived = true;
      }
      holds = simulator_.state_constraint_holds(k);
      if (known != nullptr) *known = holds ? 1 : 0;
    }
    if (holds) legal.push_back(i);
  }
}

AssignmentCount for_each_state(Simulator& simulator, const BitLayout& layout, const EnumerationLimits& limits,
                               const std::function<void(const StateValues&)>& visit) {
  const GroundModel& model = simulator.model();
  Enumeration enumeration(model, layout);
  for (const GroundCondition& invariant : model.invariants) enumeration.require(invariant.node);
  for (const GroundCondition& constraint : model.constraints) enumeration.require(constraint.node, true);
  enumerate(model, enumeration, 0, model.first_action(), std::nullopt, limits.assignments,
            [&](const StateValues& state) {
              if (simulator.broken_invariant(state).empty()) visit(state);
            });
  return enumeration.counted();
}

}  // namespace bnnplan::rddl
