// One call for all that planning takes: the engine that the options ask for, limits with sensible defaults,
// the checker over every plan, and repair where there is a true domain to ask.
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include <bnnplan/plan.hpp>
#include <fmt/format.h>

#include "bnnplan/base/stopwatch.hpp"
#include "bnnplan/check/plan_check.hpp"
#include "bnnplan/engines/repair.hpp"
#include "bnnplan/engines/shortest.hpp"
#include "bnnplan/rddl/simulate/domain_judge.hpp"
#include "bnnplan/rddl/simulate/replay.hpp"

namespace bnnplan {

namespace {

constexpr const char* repaired_plans = "plans on which model and domain agree";

std::string engine_name(const PlanOptions& options) {
  if (!options.engine.empty()) return options.engine;
  return !options.solver.empty() ? "external" : "auto";
}

std::string reward_in(rddl::Simulator& domain, const Problem& problem, const Plan& plan) {
  return to_string(rddl::replay(domain, problem, plan).reward);
}

}  // namespace

const Engine& engine_of(const PlanOptions& options) { return *find_engine(engine_name(options)); }

Outcome plan(const Problem& problem, const PlanOptions& options) {
  if (problem.horizon <= 0 && !options.shortest)
    throw InputError("the problem states no horizon: give it one with set_horizon");
  validate(options);
  const Engine& engine = engine_of(options);
  EngineRequest request = options;
  request.limits = on_this_machine(options.limits);
  if (options.shortest) return engines::run_shortest(engine, problem, request);
  if (options.repair == nullptr) return run_checked(engine, problem, request);
  Problem remaining = problem;  // what is refused is taken out of it
  rddl::DomainJudge judge(*options.repair, remaining);
  Outcome outcome = engines::run_repaired(engine, remaining, request, std::ref(judge));
  outcome.among = repaired_plans;
  if (outcome.plan) outcome.domain_reward = reward_in(*options.repair, problem, *outcome.plan);
  return outcome;
}

struct BestSoFar::Record {
  Record(const Problem& of, const PlanOptions& options)
      : problem(of),
        engine(engine_name(options)),
        first(options.first),
        resumed_from(options.checkpoint.resume),
        domain(options.repair),
        callbacks(options.callbacks) {}

  Problem problem;  // with `shortest` for the current horizon
  const std::string engine;
  const bool first;
  const std::string resumed_from;
  rddl::Simulator* const domain;
  const EngineCallbacks callbacks;  // of the user
  const Stopwatch stopwatch;
  mutable std::mutex mutex;
  Outcome known;
};

BestSoFar::BestSoFar(const Problem& problem, PlanOptions& options)
    : record_(std::make_unique<Record>(problem, options)) {
  Record& record = *record_;
  options.callbacks.improvement = [&record](const Improvement& improvement) {
    {
      const std::lock_guard lock(record.mutex);
      record.known.plan = improvement.plan();
      record.known.cost = improvement.cost;
      if (record.domain != nullptr)
        record.known.domain_reward = reward_in(*record.domain, record.problem, *record.known.plan);
    }
    if (record.callbacks.improvement) record.callbacks.improvement(improvement);
  };
  options.callbacks.bound = [&record](const BoundPoint& bound) {
    {
      const std::lock_guard lock(record.mutex);
      record.known.bounds.push_back(bound);
      if (bound.lower) record.known.lower_bound = bound.lower;
    }
    if (record.callbacks.bound) record.callbacks.bound(bound);
  };
  options.callbacks.horizon = [&record](int horizon) {
    {
      const std::lock_guard lock(record.mutex);
      record.known = {};
      record.known.shortest = record.problem.horizon = horizon;
    }
    if (record.callbacks.horizon) record.callbacks.horizon(horizon);
  };
}

BestSoFar::~BestSoFar() = default;

Problem problem_of(const Outcome& outcome, Problem problem) {
  if (outcome.shortest > 0) problem.horizon = outcome.shortest;
  return problem;
}

Outcome BestSoFar::outcome(StopReason stopped) const {
  const std::lock_guard lock(record_->mutex);
  Outcome outcome = record_->known;
  outcome.engine = record_->engine;
  outcome.resumed_from = record_->resumed_from;
  if (record_->domain != nullptr) outcome.among = repaired_plans;
  outcome.seconds = record_->stopwatch.seconds();
  if (!outcome.plan) {
    outcome.stopped = stopped;
    return outcome;
  }
  checking::PlanCheck check = checking::check_plan(record_->problem, *outcome.plan);
  if (!check.accepted) throw std::logic_error("the best plan so far is refused: " + check.violation);
  outcome.plan = std::move(check.plan);
  const bool proved = !record_->first && outcome.lower_bound == outcome.cost;
  outcome.status = proved ? Status::optimal : Status::feasible;
  if (!proved) outcome.stopped = stopped;
  return outcome;
}

bool breaks_promise(const Problem& problem, const Outcome& outcome) {
  return !outcome.domain_reward.empty() && outcome.cost &&
         !promise_text(problem, *outcome.cost, outcome.domain_reward).empty();
}

}  // namespace bnnplan
