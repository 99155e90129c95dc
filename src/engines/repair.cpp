// Repairing plans of a learned model: find the best plan, have the true domain judge it, refuse the shortest
// prefix that fails there, and repeat (a nogood of a logic-based Benders decomposition, or a generalised
// landmark constraint: every remaining plan has an action outside of it). A prefix of t of H steps refuses
// all plans that begin with it, with A actions a fraction A^-t of all plans.
//
// If the judge objects to the state after the last action of the prefix, much more can be excluded. Up to
// there the states were right; if the step's state and action leave the model no choice, the model will be
// wrong after every step with this state and this action, wherever a plan takes it. So that pair is excluded,
// by one clause over the bits of a step:  not (s^t = s and a^t = a)  for all t. The number of runs is the
// number of wrong pairs met, not the number of paths that lead to them. If the model has a choice
// (transitions may leave one), another choice might be right, and neither the pair nor the prefix can be
// excluded with certainty. The prefix is excluded anyway, to find another plan, but from then on nothing is
// proved.
//
// The optimum of a run is a lower bound on everything that remains, so the first plan that the judge accepts
// is optimal. Plans that a run finds on the way are judged as well: a valid one is kept in case a limit is
// reached, and once a run shows that nothing is cheaper it is the answer.
#include "bnnplan/engines/repair.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "bnnplan/base/count_text.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/problem/expression.hpp"

namespace bnnplan::engines {

namespace {

class Repair {
 public:
  Repair(const Engine& engine, Problem& problem, const EngineRequest& request, const PlanJudge& judge)
      : engine_(engine),
        problem_(problem),
        request_(request),
        judge_(judge),
        single_step_(problem),
        watch_(request.limits),
        log_(request) {
    single_step_.horizon = 1;
    single_step_.initial.assign(problem.state.bit_count(), unknown_bit);
    single_step_.goal.clear();
    single_step_.refused.clear();
  }

  Outcome solve() {
    while (true) {
      ++runs_;
      Outcome outcome = run();
      if (outcome.lower_bound && certain_) log_.raise_lower(*outcome.lower_bound, watch_.seconds());
      if (outcome.status == Status::infeasible || outcome.status == Status::unknown)
        return finish(std::move(outcome));
      std::optional<Objection> objection = judge_(*outcome.plan);
      if (!objection) {
        keep(*outcome.plan, *outcome.cost);
        return finish(std::move(outcome));
      }
      exclude(*outcome.plan, std::move(*objection));
      if (checking::check_plan(problem_, *outcome.plan).accepted)
        throw std::logic_error("the plan is still accepted after it was refused");
      const bool proved = best_ && log_.lower() && *log_.lower() >= best_cost_;
      const bool stopped = outcome.status != Status::optimal && outcome.stopped != StopReason::none;
      if (proved || stopped || watch_.should_stop()) {
        if (!stopped) outcome.stopped = watch_.reason();
        outcome.status = proved ? Status::optimal : Status::unknown;
        return finish(std::move(outcome));
      }
    }
  }

 private:
  void exclude(const Plan& plan, Objection objection) {
    if (!objection.parts) {
      problem_.refused.push_back(std::move(objection.prefix));
      return;
    }
    const std::size_t t = objection.prefix.actions.size();
    const BitValues& state = t == 1 ? plan.initial : plan.steps[t - 2].state;
    const BitValues& action = plan.steps[t - 1].action;
    if (has_no_choice(state, action)) {
      problem_.constraints.push_back(other_step(state, action));
      ++refused_steps_;
    } else {
      certain_ = false;
      problem_.refused.push_back(std::move(objection.prefix));
    }
  }

  // Whether the step's state and action determine everything else: the checker completes a step by
  // propagation only.
  bool has_no_choice(const BitValues& state, const BitValues& action) const {
    Plan plan;
    plan.initial = state;
    plan.steps.push_back({action, BitValues(problem_.auxiliary.bit_count(), unknown_bit),
                          BitValues(problem_.state.bit_count(), unknown_bit)});
    return checking::check_plan(single_step_, plan).accepted;
  }

  // At least one bit of the step differs: the sum of ~x where x is 1 and of x where it is 0.
  LinearConstraint other_step(const BitValues& state, const BitValues& action) const {
    LinearConstraint clause;
    clause.comparison = Comparison::at_least;
    clause.bound = 1;
    const auto add = [&](Bit bit, bool is_one) {
      clause.terms.push_back({is_one ? -1 : 1, bit});
      if (is_one) --clause.bound;
      clause.text += fmt::format("{}{}{}", clause.text.empty() ? "" : " + ", is_one ? "~" : "",
                                 name_in_expression(bit_name(problem_, bit)));
    };
    for (std::uint32_t i = 0; i < state.size(); ++i) add({Place::state, i}, state[i] == 1);
    for (std::uint32_t i = 0; i < action.size(); ++i) add({Place::action, i}, action[i] == 1);
    clause.text += " >= 1";
    return clause;
  }

  Outcome run() {
    EngineRequest request = request_;
    request.limits.seconds = time_left(request.limits.seconds, watch_.seconds());
    request.callbacks.bound = [&](const BoundPoint& bound) {
      if (bound.lower && certain_) log_.raise_lower(*bound.lower, watch_.seconds());
    };
    request.callbacks.improvement = [&](const Improvement& improvement) {
      if (best_ && improvement.cost >= best_cost_) return;
      const Plan plan = improvement.plan();
      if (!judge_(plan)) keep(plan, improvement.cost);
    };
    if (request_.callbacks.progress) {
      request.callbacks.progress = [&](Progress progress) {
        progress.seconds = watch_.seconds();
        progress.activity =
            fmt::format("{} and {} refused, {}", count_text(problem_.refused.size(), "prefix", "prefixes"),
                        count_text(refused_steps_, "step"), progress.activity);
        progress.lower_bound = log_.lower();
        progress.best_cost = log_.upper();
        request_.callbacks.progress(progress);
      };
    }
    return run_checked(engine_, problem_, request);
  }

  void keep(const Plan& plan, std::int64_t cost) {
    if (best_ && cost >= best_cost_) return;
    best_ = plan;
    best_cost_ = cost;
    log_.improve({watch_.seconds(), cost, [&] { return plan; }});
  }

  // Turns the outcome of the last run into the outcome of all runs.
  Outcome finish(Outcome outcome) {
    if (!certain_ && outcome.status == Status::infeasible) outcome.status = Status::unknown;
    if (!certain_ && outcome.status == Status::optimal &&
        !(best_ && log_.lower() && *log_.lower() >= best_cost_))
      outcome.status = Status::feasible;
    if (best_ && outcome.status == Status::infeasible)
      throw std::logic_error(fmt::format("engine {} reports infeasible after it found a plan", engine_.name));
    if (best_) {
      Problem uncertain;  // an uncertain objection may have excluded this very plan
      if (!certain_) {
        uncertain = problem_;
        uncertain.refused.clear();
      }
      const checking::PlanCheck check = checking::check_plan(certain_ ? problem_ : uncertain, *best_);
      if (!check.accepted || check.cost != best_cost_) {
        throw RefusedPlan(fmt::format("engine {} reported an intermediate plan that is refused: {}",
                                      engine_.name, check.accepted ? "its cost is wrong" : check.violation),
                          *best_);
      }
      if (outcome.status != Status::optimal) outcome.status = Status::feasible;
      outcome.plan = check.plan;
      outcome.cost = best_cost_;
    } else {
      outcome.plan.reset();
      outcome.cost.reset();
    }
    outcome.seconds = watch_.seconds();
    outcome.bounds = log_.finish(outcome.seconds);
    if (outcome.status != Status::infeasible) outcome.lower_bound = log_.lower();
    outcome.statistics.emplace_back("refused_prefixes", static_cast<std::int64_t>(problem_.refused.size()));
    outcome.statistics.emplace_back("refused_steps", refused_steps_);
    outcome.statistics.emplace_back("runs", runs_);
    return outcome;
  }

  const Engine& engine_;
  Problem& problem_;
  const EngineRequest& request_;
  const PlanJudge& judge_;
  Problem single_step_;  // any state, any action, no goal
  LimitWatch watch_;
  BoundLog log_;
  std::int64_t runs_ = 0, refused_steps_ = 0;
  bool certain_ = true;       // nothing was excluded that the judge would accept
  std::optional<Plan> best_;  // accepted by the judge
  std::int64_t best_cost_ = 0;
};

}  // namespace

Outcome run_repaired(const Engine& engine, Problem& problem, const EngineRequest& request,
                     const PlanJudge& judge) {
  return Repair(engine, problem, request, judge).solve();
}

}  // namespace bnnplan::engines
