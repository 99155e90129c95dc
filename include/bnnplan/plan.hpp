#pragma once

// Planning: the action sequence that satisfies all constraints, reaches the goal, and has the best total reward, with a
// proof that none is better.
//
//   bnnplan::Outcome outcome = bnnplan::plan(problem);
//   if (outcome.status == bnnplan::Status::optimal) std::cout << bnnplan::outcome_text(problem, outcome);

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include <bnnplan/problem.hpp>
#include <bnnplan/run_control.hpp>

#include "engines/checked_run.hpp"
#include "engines/engine.hpp"
#include "engines/growing_maxsat.hpp"
#include "engines/neuron/growing_horizon.hpp"
#include "engines/result_file.hpp"
#include "engines/search/kept_search.hpp"
#include "problem/plan.hpp"
#include "problem/plan_file.hpp"
#include "report/outcome_text.hpp"
#include "report/plan_table.hpp"

namespace bnnplan {

class Simulator;

struct PlanOptions {
  RunControl control;
  std::string engine;  // a name of engines(); if empty auto, with a solver external
  bool first = false;  // any plan will do

  std::string neurons;                // how engines that make clauses encode neurons, of neuron_encodings()
  std::string solver, solver_format;  // the command of an external solver and what it reads
  std::string proof;                  // the file to write a proof of optimality to
  std::string proof_version = "1.2";  // of the VeriPB format, or "3.0"

  // Engines search and auto: a file that the search is saved to every so many seconds and when a limit or an interrupt ends it
  // (which then may take longer, in proportion to its memory: about a second for a gigabyte), and a file of such a run to go on
  // from: it ends as the run would have ended, the search alone with the same plan. See Outcome::resumed_from.
  std::string checkpoint;
  double checkpoint_every = 300;
  std::string resume;
  std::atomic<bool>* saving = nullptr;  // is true while it is saved, for whoever would end the process

  // The true domain, if the plan has to be valid there and lead to the states that the problem says: the cheapest such plan,
  // or the proof that there is none. Must outlive the call.
  Simulator* repair = nullptr;

  // What is told while it runs, from one thread at a time: better plans, bounds, progress several times a second.
  EngineCallbacks callbacks;
};

// Plans. The plan of the outcome has been replayed by the checker, says everything, and its cost is the recomputed one;
// `optimal` and `infeasible` are proved, unless outcome.claimed_by names an external solver. Requires problem.horizon > 0.
// Throws InputError for options that do not go together and for what is wrong with a solver, a checkpoint or an output file,
// and RefusedPlan if an engine is wrong, which is a bug in bnnplan.
Outcome plan(const Problem& problem, const PlanOptions& options = {});

// The engine that the options ask for. Throws InputError.
const Engine& engine_of(const PlanOptions& options);

// Collects what a run tells, for somebody who has to end it from outside and wants what is known by then.
class BestSoFar {
 public:
  // Listens in the callbacks of the options, which are still called themselves. Both must outlive the run.
  BestSoFar(const Problem& problem, PlanOptions& options);
  ~BestSoFar();

  // As plan() would have returned it. May be called from another thread while the run goes on.
  Outcome outcome(StopReason stopped) const;

 private:
  struct Record;
  std::unique_ptr<Record> record_;
};

// Whether the model promises another reward for the outcome's plan than the domain gave (options.repair).
bool breaks_promise(const Problem& problem, const Outcome& outcome);

}  // namespace bnnplan
