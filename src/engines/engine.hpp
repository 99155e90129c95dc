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

#include "base/limits.hpp"
#include "base/progress.hpp"
#include "encode/neuron_encoding.hpp"
#include "problem/plan.hpp"
#include "problem/problem.hpp"

namespace bnnplan {

enum class Status : std::uint8_t {
  optimal,     // proved
  plan,        // a plan, not proved optimal
  infeasible,  // proved that there is none
  unknown      // a limit was hit before anything was found
};
std::string_view status_text(Status status);

// What is known of the optimal cost at some time. Costs are integers as in Objective.
struct BoundPoint {
  double seconds = 0;
  std::optional<std::int64_t> lower, upper;
};

// A better plan than all before. plan() makes it; call it only before the callback returns.
struct Improvement {
  double seconds = 0;
  std::int64_t cost = 0;
  std::function<Plan()> plan;
};

// What an engine tells while it runs, from one thread at a time. Empty functions are not called.
struct EngineCallbacks {
  std::function<void(const Improvement&)> improvement;
  std::function<void(const BoundPoint&)> bound;
  std::function<void(const Progress&)> progress;  // several times a second
};

// What engines that work side by side on one problem know together. An engine may drop everything that costs
// `upper` or more; once it has shown that nothing costs less, it raises its lower bound to `upper` and stops,
// with Status::unknown if it has no plan of its own. BoundLog publishes what an engine finds here.
struct SharedBounds {
  static constexpr std::int64_t no_lower = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t no_upper = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> lower = no_lower;  // proved by any of them
  std::atomic<std::int64_t> upper = no_upper;  // the cost of the best plan that any of them has
};

// The same for engines that write proofs. A plan of another counts in a proof once it is logged there as a solution,
// so the plan itself is here; a lower bound of another never counts, so there is none. BoundLog keeps it up to date.
class SharedPlan {
 public:
  void offer(std::int64_t cost, const std::function<Plan()>& plan);  // taken if it is better
  std::int64_t cost() const { return cost_; }  // SharedBounds::no_upper if there is none
  std::optional<std::pair<std::int64_t, Plan>> best() const;

 private:
  mutable std::mutex mutex_;
  std::atomic<std::int64_t> cost_ = SharedBounds::no_upper;
  Plan plan_;
};

// Saving a search, and going on from what was saved: engines search and auto.
struct Checkpointing {
  std::string file;                     // to save to; empty: nothing is saved
  double every = 300;                   // seconds between two saves; the last is when a limit ends the run
  std::string resume;                   // the file to go on from; empty: from the beginning
  std::atomic<bool>* saving = nullptr;  // true while it is saved, for whoever would end the process
  // Of a portfolio: the best plan of the other engines, and whether there is still something to go on with.
  std::function<std::optional<Plan>()> plan_of_others;
  std::function<bool()> wanted;
};

struct EngineRequest {
  Limits limits;
  bool first = false;  // any plan will do
  EngineCallbacks callbacks;
  std::optional<NeuronEncoding> neurons;  // for engines that make clauses, if not their own choice
  std::string solver;                     // external: the command, see external/external_engine.hpp
  std::string solver_format;              // external: what it reads, empty if its name says it
  std::string proof;                      // auto, search, neuron: the file to write a proof to; empty: none
  std::string proof_version = "1.2";      // or "3.0"
  Checkpointing checkpoint;
  SharedBounds* shared = nullptr;     // of a portfolio; outlives the run
  SharedPlan* shared_plan = nullptr;  // likewise, in place of `shared` if there is a proof

  // The cost of the best plan that this engine or one beside it has, or SharedBounds::no_upper.
  std::int64_t shared_upper() const;
};

using Statistic = std::variant<std::int64_t, double, std::string>;

struct Outcome {
  Status status = Status::unknown;
  std::optional<Plan> plan;                 // says everything
  std::optional<std::int64_t> cost;         // of the plan
  std::optional<std::int64_t> lower_bound;  // always valid; equal to the cost if optimal
  StopReason stopped = StopReason::none;
  std::string engine;
  std::string proof;         // the file that a proof was written to; empty: none
  std::string claimed_by;    // who claims what is not proved by ourselves; empty: nobody
  std::string among;         // of which plans it speaks, "plans on which ..."; empty: of all of the problem
  std::string resumed_from;  // the checkpoint that it went on from, which it believes; empty: none
  std::string checkpoint;    // the file that it was saved to when it was stopped; empty: it was not
  std::string checkpoint_error;  // why the last save failed; empty: it did not
  std::string domain_reward;     // of the plan in the true domain, if that was asked: an exact number as text
  double seconds = 0;
  std::vector<BoundPoint> bounds;  // in the order of time
  std::vector<std::pair<std::string, Statistic>> statistics;
};

// An engine: finds plans for problems. run() requires problem.horizon > 0, keeps the limits, and returns an
// outcome whose claims (optimal, infeasible, lower bound) are proved.
struct Engine {
  std::string_view name;
  std::string_view guarantee;
  std::string_view help;  // one line
  Outcome (*run)(const Problem& problem, const EngineRequest& request);
};

// The one table of engines; "auto" is the first.
std::span<const Engine> engines();
const Engine* find_engine(std::string_view name);  // nullptr if there is none

// Collects the bounds of a run, best ones only, and passes them on. Used by engines.
class BoundLog {
 public:
  explicit BoundLog(const EngineRequest& request)
      : callbacks_(&request.callbacks), shared_(request.shared), shared_plan_(request.shared_plan) {}

  void raise_lower(std::int64_t lower, double seconds);
  void improve(const Improvement& improvement);
  std::optional<std::int64_t> lower() const { return lower_; }
  std::optional<std::int64_t> upper() const { return upper_; }

  // The history, with the last bounds as its last point.
  std::vector<BoundPoint> finish(double seconds);

 private:
  void record(double seconds);

  const EngineCallbacks* callbacks_;
  SharedBounds* shared_;
  SharedPlan* shared_plan_;
  std::optional<std::int64_t> lower_, upper_;
  std::vector<BoundPoint> history_;
};

}  // namespace bnnplan
