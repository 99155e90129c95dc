// Repairing plans of a learned model: find the best plan, have it judged by the true domain, refuse the
// shortest prefix that fails there, and again (a nogood of a logic-based Benders decomposition, or a
// generalised landmark constraint: every plan that remains has an action outside of it). A prefix of t of H
// steps refuses all plans that begin so, with A actions a fraction A^-t of them all.
//
// The optimum of a run is a lower bound on everything that is left, so the first plan that the judge accepts
// is optimal. Plans that a run finds on its way are judged as well: if one is valid it is kept for when a
// limit is reached, and once a run shows that nothing is cheaper it is the answer.
#include "engines/repair.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "check/plan_check.hpp"
#include "engines/checked_run.hpp"

namespace bnnplan {

namespace {

class Repair {
 public:
  Repair(const Engine& engine, Problem& problem, const EngineRequest& request, const PlanJudge& judge)
      : engine_(engine),
        problem_(problem),
        request_(request),
        judge_(judge),
        watch_(request.limits),
        log_(request) {}

  Outcome solve() {
    while (true) {
      ++runs_;
      Outcome outcome = run();
      if (outcome.lower_bound) log_.raise_lower(*outcome.lower_bound, watch_.seconds());
      if (outcome.status == Status::infeasible || outcome.status == Status::unknown)
        return finish(std::move(outcome));
      std::optional<RefusedPrefix> refused = judge_(*outcome.plan);
      if (!refused) {
        keep(*outcome.plan, *outcome.cost);
        return finish(std::move(outcome));
      }
      problem_.refused.push_back(std::move(*refused));
      if (check_plan(problem_, *outcome.plan).accepted)
        throw std::logic_error("the plan goes on after it was refused");
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
  Outcome run() {
    EngineRequest request = request_;
    if (request.limits.seconds)
      request.limits.seconds = std::max(0.0, *request.limits.seconds - watch_.seconds());
    request.callbacks.bound = [&](const BoundPoint& bound) {
      if (bound.lower) log_.raise_lower(*bound.lower, watch_.seconds());
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
            fmt::format("{} prefixes refused, {}", problem_.refused.size(), progress.activity);
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

  // The answer of the last run, made that of all of them.
  Outcome finish(Outcome outcome) {
    if (best_ && outcome.status == Status::infeasible)
      throw std::logic_error(fmt::format("engine {} says infeasible after it found a plan", engine_.name));
    if (best_) {
      const PlanCheck check = check_plan(problem_, *best_);
      if (!check.accepted || check.cost != best_cost_) {
        throw RefusedPlan(fmt::format("engine {} found a plan on its way that is refused: {}", engine_.name,
                                      check.accepted ? "its cost is another one" : check.violation),
                          *best_);
      }
      if (outcome.status != Status::optimal) outcome.status = Status::plan;
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
    outcome.statistics.emplace_back("runs", runs_);
    return outcome;
  }

  const Engine& engine_;
  Problem& problem_;
  const EngineRequest& request_;
  const PlanJudge& judge_;
  LimitWatch watch_;
  BoundLog log_;
  std::int64_t runs_ = 0;
  std::optional<Plan> best_;  // that the judge accepts
  std::int64_t best_cost_ = 0;
};

}  // namespace

Outcome run_repaired(const Engine& engine, Problem& problem, const EngineRequest& request,
                     const PlanJudge& judge) {
  return Repair(engine, problem, request, judge).solve();
}

}  // namespace bnnplan
