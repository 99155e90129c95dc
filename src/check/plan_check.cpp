// The plan checker: the definition of a valid plan, executed step by step. Values that the plan leaves open
// are derived by bounds propagation over the step's linear constraints,
//
//   sum_i a_i x_i >= b   forces x_j to the value that a_j favours   if   b > max(sum) - |a_j|,
//
// run to a fixpoint (quadratic at worst, and steps are small); with every value known, the same rule is the
// plain evaluation of each constraint. Deliberately simple: all fast code is tested against this file.
#include "bnnplan/check/plan_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/base/input_error.hpp"
#include "bnnplan/network/reference_inference.hpp"
#include "bnnplan/problem/step_weights.hpp"
#include "bnnplan/problem/variable_value.hpp"
#include "bnnplan/problem/worth.hpp"

namespace bnnplan::checking {

namespace {

struct Violation {
  int step;
  std::string text;
};

// The values of one step as they become known.
struct PartialStep {
  BitValues action, state, auxiliary, next;

  BitValue& operator[](Bit bit) {
    switch (bit.place) {
      case Place::action:
        return action[bit.index];
      case Place::state:
        return state[bit.index];
      case Place::auxiliary:
        return auxiliary[bit.index];
      case Place::next:
        return next[bit.index];
    }
    __builtin_unreachable();
  }
  BitValue operator[](Bit bit) const { return const_cast<PartialStep&>(*this)[bit]; }
};

class PlanReplay {
 public:
  PlanReplay(const Problem& problem, const Plan& plan) : problem_(problem), plan_(plan) {}

  PlanCheck run() {
    PlanCheck result;
    try {
      if (plan_.steps.size() != static_cast<std::size_t>(problem_.horizon)) {
        throw Violation{0, fmt::format("the plan has {}, the horizon is {}",
                                       count_text(plan_.steps.size(), "step"), problem_.horizon)};
      }
      const StepWeights weights = step_weights(problem_);
      result.plan.initial = initial_state();
      BitValues state = result.plan.initial;
      refuse_prefixes(state, 0);
      for (int t = 1; t <= problem_.horizon; ++t) {
        const PlanStep& said = plan_.steps[static_cast<std::size_t>(t - 1)];
        const PartialStep step = replay_step(t, state, said);
        result.cost += weights.of(t) * (problem_.objective.constant + sum_of(problem_.objective.terms, step));
        result.plan.steps.push_back({said.action, step.auxiliary, step.next});
        state = step.next;
        refuse_prefixes(result.plan.initial, t);
      }
      PartialStep last;
      last.state = state;
      for (const LinearConstraint& goal : problem_.goal) {
        if (compare(sum_of(goal.terms, last), goal.comparison, goal.bound)) continue;
        refuse(goal, last, problem_.horizon + 1, "after the last step: the goal", "is violated");
      }
      const Decimal cost = cost_in_units(problem_, result.cost);
      if (plan_.cost && !(*plan_.cost == cost)) {
        const bool maximize = problem_.objective.maximize;
        throw Violation{
            problem_.horizon + 1,
            fmt::format("the plan claims {}, its actions {} {}", worth_text(maximize, *plan_.cost),
                        maximize ? "give" : "cost", worth_number(maximize, cost))};
      }
      result.plan.cost = cost;
      result.accepted = true;
    } catch (const Violation& violation) {
      result.accepted = false;
      result.violation = violation.text;
      result.step = violation.step;
    }
    return result;
  }

 private:
  BitValues initial_state() const {
    const PlanStep& said = plan_.steps.front();
    PartialStep first{{said.action.begin(), said.action.end()}, problem_.initial, said.auxiliary, said.state};
    for (std::uint32_t bit = 0; bit < first.state.size(); ++bit) {
      BitValue& value = first.state[bit];
      const BitValue claimed = plan_.initial[bit];
      if (value != unknown_bit && claimed != unknown_bit && value != claimed) {
        throw Violation{0, fmt::format("initial state: the plan says {} = {}, the problem says {}",
                                       printable(problem_.state.bit_name(bit)), int{claimed}, int{value})};
      }
      if (claimed != unknown_bit) value = claimed;
    }
    propagate(1, first);
    refuse_unknown(first.state, Place::state, 0, "initial state:");
    return first.state;
  }

  // Throws if the plan begins with a refused prefix of t actions.
  void refuse_prefixes(const BitValues& initial, int t) const {
    for (const RefusedPrefix& prefix : problem_.refused) {
      if (prefix.actions.size() != static_cast<std::size_t>(t)) continue;
      bool same = true;
      for (std::size_t bit = 0; bit < prefix.initial.size(); ++bit) {
        same &= prefix.initial[bit] == unknown_bit || prefix.initial[bit] == initial[bit];
      }
      for (std::size_t i = 0; i < prefix.actions.size(); ++i)
        same &= prefix.actions[i] == plan_.steps[i].action;
      if (!same) continue;
      if (t == 0) throw Violation{0, "initial state: the problem refuses plans from this state"};
      throw Violation{t, fmt::format("step {}: the problem refuses plans that begin with {}", t,
                                     t == 1 ? "this action" : fmt::format("these {} actions", t))};
    }
  }

  PartialStep replay_step(int t, const BitValues& state, const PlanStep& said) const {
    PartialStep step{{said.action.begin(), said.action.end()}, state, said.auxiliary, said.state};
    apply_network(t, step);
    propagate(t, step);
    const std::string where = fmt::format("step {}:", t);
    refuse_unknown(step.auxiliary, Place::auxiliary, t, where);
    refuse_unknown(step.next, Place::next, t, where);
    return step;
  }

  void refuse_unknown(const BitValues& values, Place place, int t, std::string_view where) const {
    const auto open = std::find(values.begin(), values.end(), unknown_bit);
    if (open == values.end()) return;
    const Bit bit{place, static_cast<std::uint32_t>(open - values.begin())};
    throw Violation{t, fmt::format("{} the plan does not give '{}', and it does not follow from the rest",
                                   where, printable(bit_name(problem_, bit)))};
  }

  void apply_network(int t, PartialStep& step) const {
    if (!problem_.network) return;
    BitValues inputs;
    for (const Bit bit : problem_.network_inputs) inputs.push_back(step[bit]);
    const BitValues outputs = evaluate_reference(*problem_.network, inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      BitValue& next = step.next[problem_.network_outputs[i]];
      if (next != unknown_bit && next != outputs[i]) {
        throw Violation{t, fmt::format("step {}: the plan says {} = {} after the step, the network gives {}",
                                       t, printable(problem_.state.bit_name(problem_.network_outputs[i])),
                                       int{next}, int{outputs[i]})};
      }
      next = static_cast<BitValue>(outputs[i]);
    }
  }

  void propagate(int t, PartialStep& step) const {
    const std::string constraint_name = fmt::format("step {}: the constraint", t);
    const std::string transition_name = fmt::format("step {}: the transition", t);
    for (bool changed = true; changed;) {
      changed = false;
      for (const LinearConstraint& constraint : problem_.constraints) {
        changed |= propagate(constraint, step, t, constraint_name);
      }
      for (const LinearConstraint& transition : problem_.transitions) {
        changed |= propagate(transition, step, t, transition_name);
      }
    }
  }

  // An equation is propagated as its two inequalities; the sign turns <= into >=.
  bool propagate(const LinearConstraint& constraint, PartialStep& step, int t, std::string_view what) const {
    bool changed = false;
    if (constraint.comparison != Comparison::at_least)
      changed |= propagate_at_least(constraint, -1, step, t, what);
    if (constraint.comparison != Comparison::at_most)
      changed |= propagate_at_least(constraint, +1, step, t, what);
    return changed;
  }

  bool propagate_at_least(const LinearConstraint& constraint, int sign, PartialStep& step, int t,
                          std::string_view what) const {
    std::int64_t most = 0;
    bool open = false;
    for (const Term& term : constraint.terms) {
      const BitValue value = step[term.bit];
      const std::int64_t coefficient = sign * term.coefficient;
      open |= value == unknown_bit;
      if (value == unknown_bit ? coefficient > 0 : value != 0) most += coefficient;
    }
    const std::int64_t bound = sign * constraint.bound;
    if (most < bound) refuse(constraint, step, t, what, open ? "cannot hold" : "is violated");
    if (!open) return false;
    bool changed = false;
    for (const Term& term : constraint.terms) {
      BitValue& value = step[term.bit];
      const std::int64_t coefficient = sign * term.coefficient;
      if (value == unknown_bit && most - (coefficient < 0 ? -coefficient : coefficient) < bound) {
        value = coefficient > 0 ? 1 : 0;
        changed = true;
      }
    }
    return changed;
  }

  static std::int64_t sum_of(const std::vector<Term>& terms, const PartialStep& step) {
    std::int64_t sum = 0;
    for (const Term& term : terms) sum += step[term.bit] != 0 ? term.coefficient : 0;
    return sum;
  }

  [[noreturn]] void refuse(const LinearConstraint& constraint, const PartialStep& step, int t,
                           std::string_view what, std::string_view how) const {
    throw Violation{t, fmt::format("{} '{}' {}: {}", what, printable(constraint.text, 400), how,
                                   values_text(constraint, step))};
  }

  // "a = 1, b.0 = 0, ...", the bits that are 1 first, at most a dozen.
  std::string values_text(const LinearConstraint& constraint, const PartialStep& step) const {
    std::string text;
    std::size_t shown = 0;
    for (const int wanted : {1, 0}) {
      for (const Term& term : constraint.terms) {
        if (step[term.bit] != wanted) continue;
        if (++shown > 12) return text + ", ...";
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", printable(bit_name(problem_, term.bit)),
                            wanted);
      }
    }
    return text;
  }

  const Problem& problem_;
  const Plan& plan_;
};

}  // namespace

PlanCheck check_plan(const Problem& problem, const Plan& plan) { return PlanReplay(problem, plan).run(); }

}  // namespace bnnplan::checking
