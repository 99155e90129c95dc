#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/engines/engine.hpp"
#include "bnnplan/engines/search/action_table.hpp"
#include "bnnplan/engines/search/canonical_state.hpp"
#include "bnnplan/engines/search/cost_estimate.hpp"
#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/engines/search/successor_graph.hpp"
#include "bnnplan/problem/step_weights.hpp"

namespace bnnplan::engines {

// The states of a plan, from the initial one to the last: horizon + 1 of them. If the problem has symmetries
// they are canonical states; make_plan works out the real ones.
using Path = std::vector<StateId>;

// One step of such a path, as packed bits owned by the caller.
struct PathStep {
  const std::uint64_t *state, *action, *next;
};

// A fingerprint of the problem with its network and refused prefixes, but without name, picture and horizon:
// identifies the problem of a checkpoint.
std::uint64_t fingerprint_of(const Problem& problem);

// What the searches of one run share: the problem, the graph, the limits and the bounds.
class SearchRun {
 public:
  SearchRun(const Problem& problem, const EngineRequest& request);  // keeps references

  // To be called after the problem's horizon or initial state, or the request, were changed in place: resets
  // limits and bounds, and keeps the actions and the graph. Not for problems with refused prefixes.
  void renew();

  // Makes the cheapest actions, the graph and the estimates, unless they exist. False if the constraints
  // allow no action at all. Must be called before anything below. Throws LimitReached, as do the next two.
  bool begin();

  // All initial states that satisfy the state constraints, as far as propagation can tell.
  std::vector<StateId> initial_states();

  // Also reports progress now and then. It reads the clock: call it every few thousand operations.
  void check_limits(int layer, std::size_t own_bytes);

  // The number of interchangeable blocks of bits.
  std::int64_t interchangeable() const;

  std::int64_t total_cost(std::int64_t extra_cost) const { return least_total_ + extra_cost; }
  std::int64_t extra_cost(const Path& path) const;
  // The edge's extra cost, weighted, for a step from this layer (the first is 0).
  std::int64_t extra_cost(const Edge& edge, std::size_t layer) const {
    return weight(layer) * graph->extra_cost(edge);
  }
  std::int64_t weight(std::size_t layer) const { return weights.of(static_cast<int>(layer) + 1); }

  // A valid plan through these states, with its cost.
  Plan make_plan(const Path& path) const;
  Plan make_plan(std::span<const PathStep> steps, std::int64_t extra_cost) const;

  void raise_lower(std::int64_t extra_cost) { bounds.raise_lower(total_cost(extra_cost), watch.seconds()); }
  // Sets the time and the bounds of a finished run. Requires that its status is known.
  void conclude(Outcome& outcome);
  void improve(std::int64_t extra_cost, const Path& path);

  // The extra cost of the best plan of another engine in the portfolio.
  std::optional<std::int64_t> outside_upper() const {
    const std::int64_t upper = request.shared_upper();
    if (upper == SharedBounds::no_upper) return std::nullopt;
    return upper - least_total_;
  }

  // The actions made so far and the graph. restore() is for a run that has begun.
  void save(CheckpointWriter& file) const;
  std::vector<StateId> restore(CheckpointReader& file);  // returns what SuccessorGraph::restore() does

  const Problem& problem;
  const EngineRequest& request;
  LimitWatch watch;
  PackedProblem packed;
  bool use_symmetry = true;  // read by begin()
  CanonicalStates symmetry;
  ActionTable actions;
  std::optional<SuccessorGraph> graph;
  std::optional<CostEstimate> estimate;
  BoundLog bounds;
  StepWeights weights;         // for the horizon; known after begin()
  std::size_t peak_bytes = 0;  // accounted for
  // The number of edges needed, with hardly two to the same state, before the last two steps are no longer
  // stored.
  std::uint64_t edges_before_last_two = 1024;
  // Set by renew(): the graph has served an earlier search, and may serve others.
  bool is_kept = false;
  // Called by check_limits when everything is in a state that can be saved.
  std::function<void()> at_rest;

 private:
  std::int64_t least_total_ = 0;  // no plan costs less
  int horizon_of_estimate_ = 0;
  double last_progress_ = 0;
  std::uint64_t last_evaluations_ = 0;
};

}  // namespace bnnplan::engines
