#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bnnplan/base/limits.hpp"
#include "bnnplan/base/progress.hpp"
#include "bnnplan/base/proof_version.hpp"
#include "bnnplan/base/status.hpp"
#include "bnnplan/encode/neuron_encoding.hpp"
#include "bnnplan/problem/plan.hpp"
#include "bnnplan/problem/problem.hpp"

namespace bnnplan::engines {

// What is known about the optimal cost at some time. Costs are integers as in Objective.
struct BoundPoint {
  double seconds = 0;
  std::optional<std::int64_t> lower, upper;
};

// A plan better than all before. plan() builds it; call it only before the callback returns.
struct Improvement {
  double seconds = 0;
  std::int64_t cost = 0;
  std::function<Plan()> plan;
};

// What an engine reports while it runs, from one thread at a time. Empty functions are not called.
struct EngineCallbacks {
  std::function<void(const Improvement&)> improvement;
  std::function<void(const BoundPoint&)> bound;
  std::function<void(const Progress&)> progress;  // several times a second
  // By run_shortest: what is reported from now on is about this many steps, and no plan has fewer.
  std::function<void(int)> horizon;
};

// The shared knowledge of engines that work on one problem in parallel. An engine may drop everything that
// costs `upper` or more; once it has shown that nothing costs less, it raises its lower bound to `upper` and
// stops, with Status::unknown if it has no plan of its own. BoundLog publishes an engine's bounds here.
struct SharedBounds {
  static constexpr std::int64_t no_lower = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t no_upper = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> lower = no_lower;  // proved by any of them
  std::atomic<std::int64_t> upper = no_upper;  // the cost of the best plan found by any of them
};

// The same for engines that write proofs. Another engine's plan counts in a proof once it is logged there as
// a solution, so the plan itself is stored here; another engine's lower bound never counts, so it is not
// shared. BoundLog keeps this up to date.
class SharedPlan {
 public:
  void offer(std::int64_t cost, const std::function<Plan()>& plan);  // kept if it is better
  std::int64_t cost() const { return cost_; }  // SharedBounds::no_upper if there is no plan
  std::optional<std::pair<std::int64_t, Plan>> best() const;

 private:
  mutable std::mutex mutex_;
  std::atomic<std::int64_t> cost_ = SharedBounds::no_upper;
  Plan plan_;
};

// Saving a search and resuming it: engines search and auto.
struct Checkpointing {
  std::string file;  // to save to; empty: nothing is saved
  // Seconds between two saves; the last save is made when a limit ends the run.
  double every = 300;
  std::string resume;                   // the checkpoint to resume from; empty: start afresh
  std::atomic<bool>* saving = nullptr;  // true during a save, for code that would end the process
  // In a portfolio: the best plan of the other engines, and whether a checkpoint is still worth having.
  std::function<std::optional<Plan>()> plan_of_others;
  std::function<bool()> wanted;
};

struct EngineRequest {
  Limits limits;
  bool first = false;  // any plan will do
  EngineCallbacks callbacks;
  std::optional<encoding::NeuronEncoding>
      neurons;                // for engines that generate clauses; unset: their own choice
  std::string solver;         // external: the command, see external/external_engine.hpp
  std::string solver_format;  // external: what it reads; empty: the solver's name implies it
  std::string proof;          // auto, search, neuron: the file to write a proof to; empty: none
  ProofVersion proof_version = ProofVersion::v3_0;
  Checkpointing checkpoint;
  SharedBounds* shared = nullptr;     // in a portfolio; outlives the run
  SharedPlan* shared_plan = nullptr;  // in a portfolio; replaces `shared` if a proof is written

  // The cost of the best plan of this engine or another one in the portfolio, or SharedBounds::no_upper.
  std::int64_t shared_upper() const;
};

using Statistic = std::variant<std::int64_t, double, std::string>;

struct Outcome {
  Status status = Status::unknown;
  std::optional<Plan> plan;                 // complete
  std::optional<std::int64_t> cost;         // of the plan
  std::optional<std::int64_t> lower_bound;  // always valid; equal to the cost if optimal
  StopReason stopped = StopReason::none;
  std::string engine;
  std::string proof;       // the proof file written; empty: none
  std::string claimed_by;  // the solver that claims what we did not prove ourselves; empty: none
  std::string among;       // the plans considered, "plans on which ..."; empty: all plans of the problem
  // By run_shortest: the horizon that this is about; otherwise 0, for the problem's own.
  int shortest = 0;
  std::string resumed_from;      // the checkpoint it was resumed from, which is trusted; empty: none
  std::string checkpoint;        // the file it was saved to when stopped; empty: not saved
  std::string checkpoint_error;  // why the last save failed; empty: it did not fail
  // The plan's reward in the true domain, if requested: an exact number as text.
  std::string domain_reward;
  double seconds = 0;
  std::vector<BoundPoint> bounds;  // ordered by time
  std::vector<std::pair<std::string, Statistic>> statistics;

  // By run_shortest: no plan has from 1 to this many steps.
  int excluded() const { return status == Status::infeasible ? shortest : shortest - 1; }
};

// An engine: finds plans for problems. run() requires problem.horizon > 0, respects the limits, and returns
// an outcome whose claims (optimal, infeasible, lower bound) are proved.
struct Engine {
  std::string_view name;
  std::string_view guarantee;
  std::string_view help;  // one line
  Outcome (*run)(const Problem& problem, const EngineRequest& request);
  bool writes_proofs = false;
  bool can_be_saved = false;   // takes checkpoints
  bool makes_clauses = false;  // neurons can be encoded in several ways
  bool takes_solver = false;   // runs another program
};

// The one table of engines; "auto" is the first.
std::span<const Engine> all_engines();
const Engine* find_engine(std::string_view name);  // nullptr if unknown

// Collects the bounds of a run, keeping only improvements, and passes them on. Used by engines.
class BoundLog {
 public:
  explicit BoundLog(const EngineRequest& request)
      : callbacks_(&request.callbacks), shared_(request.shared), shared_plan_(request.shared_plan) {}

  void raise_lower(std::int64_t lower, double seconds);
  void improve(const Improvement& improvement);
  std::optional<std::int64_t> lower() const { return lower_; }
  std::optional<std::int64_t> upper() const { return upper_; }

  // The history; its last point holds the final bounds.
  std::vector<BoundPoint> finish(double seconds);

 private:
  void record(double seconds);

  const EngineCallbacks* callbacks_;
  SharedBounds* shared_;
  SharedPlan* shared_plan_;
  std::optional<std::int64_t> lower_, upper_;
  std::vector<BoundPoint> history_;
};

}  // namespace bnnplan::engines
