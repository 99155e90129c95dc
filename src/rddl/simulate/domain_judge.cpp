// Judging plans by the true domain. A replay shows where a plan fails, and where its states differ from those
// of the domain: from there on the problem's costs describe another world. A plan that fails was mostly
// doomed before: a robot in front of an obstacle with one step left cannot reach its goal whatever it does.
// So the prefix is shortened as long as the goal cannot be reached from the state before its last action, by
// depth-first search in the simulator over (steps left, state), remembered from plan to plan. States with one
// step left are searched first; the more steps are left, the more work it is, and once a number of steps was
// too many, the prefix is not shortened any further for that number or more. A shorter prefix refuses more
// plans at once: with A actions, A times as many per step.
#include "bnnplan/rddl/simulate/domain_judge.hpp"

#include <algorithm>

#include "bnnplan/base/input_error.hpp"

namespace bnnplan::rddl {

namespace {

constexpr int most_steps_left = 100;  // also the depth of the recursion
constexpr std::uint64_t most_looked_at = 20'000;
constexpr std::size_t most_remembered = 500'000;
constexpr EnumerationLimits action_limits{1'000'000, 2'000};

struct TooMuch {};

}  // namespace

DomainJudge::DomainJudge(Simulator& simulator, const Problem& problem)
    : simulator_(simulator),
      problem_(problem),
      binding_(simulator.model(), problem),
      too_many_steps_(most_steps_left + 1) {
  try {
    actions_.emplace(simulator, make_bit_layout(simulator.model(), {}), action_limits);
  } catch (const InputError&) {  // unbounded integers, or too many actions: do not shorten prefixes
  }
}

std::optional<Objection> DomainJudge::operator()(const Plan& plan) {
  const Replay replayed = replay(simulator_, problem_, plan);
  const auto diverges = static_cast<std::size_t>(replayed.diverges);
  if (replayed.violation.empty() && diverges == 0) return std::nullopt;
  std::size_t length = diverges;
  if (!replayed.violation.empty()) {
    length = replayed.refused_actions;
    while (length > 0 &&
           hopeless(replayed.states[length - 1], static_cast<int>(plan.steps.size() - (length - 1)))) {
      --length;
    }
  }
  const bool parts = diverges > 0 && diverges <= length;
  if (parts) length = diverges;
  RefusedPrefix prefix;
  prefix.initial.assign(problem_.state.bit_count(), unknown_bit);
  for (std::uint32_t bit = 0; bit < prefix.initial.size(); ++bit) {
    if (problem_.initial[bit] == unknown_bit && binding_.has_state_bit(bit))
      prefix.initial[bit] = plan.initial[bit];
  }
  for (std::size_t t = 0; t < length; ++t) prefix.actions.push_back(plan.steps[t].action);
  return Objection(std::move(prefix), parts);
}

bool DomainJudge::hopeless(const StateValues& state, int steps) {
  if (!actions_ || steps >= too_many_steps_ || reaches_.size() > most_remembered) return false;
  looked_at_ = 0;
  try {
    return !reaches_goal(state, steps);
  } catch (const TooMuch&) {
  } catch (const InputError&) {  // an arithmetic error off the plan's path
  }
  too_many_steps_ = steps;
  return false;
}

bool DomainJudge::reaches_goal(const StateValues& state, int steps) {
  if (steps == 0) return simulator_.goal_reached(state);
  if (const auto known = reaches_.find({steps, state}); known != reaches_.end()) return known->second;
  std::vector<std::uint32_t> legal;
  looked_at_ += actions_->candidates().size();
  if (looked_at_ > most_looked_at) throw TooMuch();
  actions_->find(state, legal);
  const bool reaches = std::any_of(legal.begin(), legal.end(), [&](std::uint32_t number) {
    const StateValues next = simulator_.step(state, actions_->candidates()[number]);
    return simulator_.broken_invariant(next).empty() && reaches_goal(next, steps - 1);
  });
  reaches_.emplace(std::pair(steps, state), reaches);
  return reaches;
}

}  // namespace bnnplan::rddl
