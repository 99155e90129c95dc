#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "bnnplan/engines/search/search_run.hpp"

namespace bnnplan::engines {

// Dynamic programming over layers, backwards from the goal, on the complete graph of reachable states. For
// long horizons over few states: a layer costs one pass over the edges, and nothing once the layers repeat.
class LayeredSearch {
 public:
  explicit LayeredSearch(SearchRun& run);  // keeps a reference

  enum class End {
    finished,  // best_path() is optimal, or there is no plan
    too_large  // more states than Closing::most_states
  };
  // How much of the graph is complete, so that a resumed search continues with the same states.
  struct Closing {
    std::size_t most_states = 0;
    StateId next = 0;      // in this pass over the states
    bool changed = false;  // in this pass
  };
  // Requires a graph with all initial states. Throws LimitReached.
  End run(std::span<const StateId> initial, Closing& closing);

  bool has_path() const { return !path_.empty(); }
  const Path& best_path() const { return path_; }
  std::int64_t best_extra_cost() const { return extra_cost_; }
  int layers_computed() const { return layers_computed_; }
  bool periodic() const { return period_ > 0; }

 private:
  // By position in states_: the least extra cost from the state to the goal.
  using Values = std::vector<std::int64_t>;

  End close_graph(Closing& closing);
  void flatten_graph();
  Values first_layer() const;
  void compute_layer(int steps_left, const Values& before, Values& layer) const;
  std::int64_t weight_of(int steps_left) const {
    return run_.weight(static_cast<std::size_t>(run_.problem.horizon - steps_left));
  }
  void keep(int steps_left, const Values& layer);
  std::optional<std::int64_t> difference_to_reference(const Values& layer) const;
  const Values& layer(int steps_left, std::int64_t& added);
  void follow_plan(std::uint32_t first);
  std::size_t bytes() const;

  SearchRun& run_;
  SuccessorGraph& graph_;
  std::vector<StateId> states_;            // all of them: the graph's numbers have gaps
  std::vector<std::uint32_t> place_;       // by number: position in states_
  std::vector<std::uint64_t> first_edge_;  // by state, and one more
  std::vector<std::uint32_t> next_;        // by edge: a position in states_
  std::vector<std::int64_t> cost_;         // by edge

  // Layers by the number of steps left, every spacing_-th of them.
  std::map<int, Values> kept_;
  int spacing_ = 1;
  std::map<int, Values> segment_;  // layers between two kept ones, recomputed
  int layers_computed_ = 0;

  // Layer k + period_ is layer k plus period_cost_ in every state, for k >= period_start_.
  Values reference_;
  int reference_layer_ = 0;
  int period_start_ = 0, period_ = 0;
  std::int64_t period_cost_ = 0;

  Path path_;
  std::int64_t extra_cost_ = 0;
};

}  // namespace bnnplan::engines
