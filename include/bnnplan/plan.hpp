#pragma once

// Planning: the action sequence that satisfies all constraints, reaches the goal, and has the best total
// reward, with a proof that none is better.
//
//   bnnplan::Outcome outcome = bnnplan::plan(problem);
//   if (outcome.status == bnnplan::Status::optimal) std::cout << bnnplan::outcome_text(problem, outcome);

#include <memory>
#include <string>
#include <vector>

#include <bnnplan/problem.hpp>

#include "bnnplan/base/option.hpp"
#include "bnnplan/engines/checked_run.hpp"
#include "bnnplan/engines/engine.hpp"
#include "bnnplan/engines/result_file.hpp"
#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/plan_file.hpp"
#include "bnnplan/report/outcome_text.hpp"
#include "bnnplan/report/plan_table.hpp"

namespace bnnplan::rddl {
class Simulator;
}  // namespace bnnplan::rddl

namespace bnnplan {

using engines::all_engines, engines::BoundPoint, engines::checked_outcome, engines::Engine,
    engines::EngineCallbacks, engines::EngineRequest, engines::find_engine, engines::Improvement,
    engines::Outcome, engines::outcome_fields, engines::outcome_json, engines::RefusedPlan,
    engines::run_checked, engines::Statistic;
using reporting::outcome_text, reporting::plan_table, reporting::progress_text;

// What an engine is asked (engines/engine.hpp: limits, any plan or the best, proof, checkpoint, callbacks),
// and which one.
struct PlanOptions : EngineRequest {
  PlanOptions() { limits = whole_machine(); }

  std::string engine;  // a name of all_engines(); if empty auto, with a solver external

  // The smallest horizon that has a plan, and the cheapest plan there. The problem's horizon is the largest
  // one tried; 0: the largest allowed.
  bool shortest = false;

  // The true domain, if the plan has to be valid there and lead to the states that the problem says: the
  // cheapest such plan, or the proof that there is none. Must outlive the call.
  rddl::Simulator* repair = nullptr;
};
std::vector<Option> options_of(PlanOptions& options);

// Throws OptionError for values that are not allowed and for options that do not go together; plan() does so
// too.
void validate(const PlanOptions& options);

// Plans. The plan of the outcome has been replayed by the checker, says everything, and its cost is the
// recomputed one; `optimal` and `infeasible` are proved, unless outcome.claimed_by names an external solver.
// Requires problem.horizon > 0, or options.shortest: see problem_of(). Throws OptionError as validate() does,
// InputError for what is wrong with a solver or file, and RefusedPlan if an engine is wrong, which is a bug.
Outcome plan(const Problem& problem, const PlanOptions& options = {});

// The problem, with the horizon that the outcome is about.
Problem problem_of(const Outcome& outcome, Problem problem);

// The engine that the options ask for. Throws InputError.
const Engine& engine_of(const PlanOptions& options);

// Collects what a run reports, for a caller that ends it from outside and wants what is known by then.
class BestSoFar {
 public:
  // Listens in the callbacks of the options, which are still called themselves. Both must outlive the run.
  BestSoFar(const Problem& problem, PlanOptions& options);
  ~BestSoFar();

  // As plan() would have returned it. May be called from another thread during the run.
  Outcome outcome(StopReason stopped) const;

 private:
  struct Record;
  std::unique_ptr<Record> record_;
};

// Whether the model promises another reward for the outcome's plan than the domain gave (options.repair).
bool breaks_promise(const Problem& problem, const Outcome& outcome);

}  // namespace bnnplan
