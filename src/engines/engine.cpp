// The table of engines, and the bound log that they share. Lower bounds may rise thousands of times a second;
// the history keeps one point per hundredth of a second and one per new plan.
#include "bnnplan/engines/engine.hpp"

#include <algorithm>
#include <array>

#include "bnnplan/engines/external/external_engine.hpp"
#include "bnnplan/engines/local/with_local_search.hpp"
#include "bnnplan/engines/maxsat_engine.hpp"
#include "bnnplan/engines/neuron/neuron_engine.hpp"
#include "bnnplan/engines/portfolio.hpp"
#include "bnnplan/engines/search/search_engine.hpp"

namespace bnnplan::engines {

namespace {

constexpr double history_interval = 0.01;

void raise_to(std::atomic<std::int64_t>& value, std::int64_t least) {
  std::int64_t seen = value;
  while (seen < least && !value.compare_exchange_weak(seen, least)) {
  }
}

void lower_to(std::atomic<std::int64_t>& value, std::int64_t most) {
  std::int64_t seen = value;
  while (seen > most && !value.compare_exchange_weak(seen, most)) {
  }
}

Outcome run_neuron_alone(const Problem& problem, const EngineRequest& request) {
  return run_with_local_search(run_neuron, problem, request);
}

constexpr std::array<Engine, 5> engine_table{{
    {"auto", "optimal, or proves that there is no plan; writes proofs",
     "search, joined on harder problems by neuron and, without a network, by maxsat; the first proof ends "
     "all",
     run_portfolio, true, true, true},
    {"search", "optimal, or proves that there is no plan; writes proofs",
     "best-first search over reachable states, each successor computed once", run_search, true, true},
    {"neuron", "optimal, or proves that there is no plan; writes proofs",
     "conflict-driven search over the unrolled network, neurons as native constraints", run_neuron_alone,
     true, false, true},
    {"maxsat", "optimal, or proves that there is no plan",
     "the model as clauses, solved core by core by the embedded MaxSAT solver", run_maxsat_engine, false,
     false, true},
    {"external", "a checked plan; optimal or infeasible as the solver claims",
     "any MaxSAT, pseudo-Boolean or integer solver", run_external, false, false, true, true},
}};

}  // namespace

std::span<const Engine> all_engines() { return engine_table; }

const Engine* find_engine(std::string_view name) {
  const auto found = std::find_if(engine_table.begin(), engine_table.end(),
                                  [&](const Engine& engine) { return engine.name == name; });
  return found == engine_table.end() ? nullptr : &*found;
}

void SharedPlan::offer(std::int64_t cost, const std::function<Plan()>& plan) {
  const std::lock_guard lock(mutex_);
  if (cost >= cost_) return;
  plan_ = plan();
  cost_ = cost;
}

std::optional<std::pair<std::int64_t, Plan>> SharedPlan::best() const {
  const std::lock_guard lock(mutex_);
  if (cost_ == SharedBounds::no_upper) return std::nullopt;
  return std::pair{cost_.load(), plan_};
}

std::int64_t EngineRequest::shared_upper() const {
  if (shared_plan != nullptr) return shared_plan->cost();
  return shared != nullptr ? shared->upper.load() : SharedBounds::no_upper;
}

void BoundLog::raise_lower(std::int64_t lower, double seconds) {
  if (lower_ && lower <= *lower_) return;
  lower_ = lower;
  if (shared_ != nullptr) raise_to(shared_->lower, lower);
  if (history_.empty() || seconds - history_.back().seconds >= history_interval) record(seconds);
}

void BoundLog::improve(const Improvement& improvement) {
  if (upper_ && improvement.cost >= *upper_) return;
  upper_ = improvement.cost;
  if (shared_ != nullptr) lower_to(shared_->upper, improvement.cost);
  if (shared_plan_ != nullptr) shared_plan_->offer(improvement.cost, improvement.plan);
  record(improvement.seconds);
  if (callbacks_->improvement) callbacks_->improvement(improvement);
}

void BoundLog::record(double seconds) {
  history_.push_back({seconds, lower_, upper_});
  if (callbacks_->bound) callbacks_->bound(history_.back());
}

std::vector<BoundPoint> BoundLog::finish(double seconds) {
  const bool told = !history_.empty() && history_.back().lower == lower_ && history_.back().upper == upper_;
  if (!told && (lower_ || upper_)) record(seconds);
  return std::move(history_);
}

}  // namespace bnnplan::engines
