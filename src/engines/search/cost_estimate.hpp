#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bnnplan/engines/search/packed_problem.hpp"
#include "bnnplan/engines/search/projection.hpp"
#include "bnnplan/problem/step_weights.hpp"

namespace bnnplan::engines {

// Lower bounds on the extra cost from a state to a goal, from parts of the problem that the constructor
// solves completely. Immutable; threads may share one.
class CostEstimate {
 public:
  static constexpr std::int64_t infinite = std::int64_t{1} << 62;

  // `least_step_cost` is the cost that extra costs are relative to, before weighting.
  CostEstimate(const PackedProblem& problem, std::int64_t least_step_cost, const StepWeights& weights = {});

  bool empty() const { return tables_.empty(); }  // then every estimate is 0

  // No path of exactly this many steps from the state to a goal has a smaller extra cost; `infinite` if there
  // is no path. Consistent: at most the extra cost of a step plus the estimate after it, with one step less.
  std::int64_t of_steps(const std::uint64_t* state, std::uint32_t steps) const;

  // The minimum over all numbers of steps up to this one. For steps of equal weight.
  std::int64_t of_at_most(const std::uint64_t* state, std::uint32_t steps) const;

  std::size_t table_count() const { return tables_.size(); }
  std::size_t bytes() const;

 private:
  struct Table {
    BitWiring index;                      // from the words of a state to its number in the projection
    std::size_t size;                     // of a layer
    std::vector<std::int64_t> layers;     // [steps][number]: for exactly this many steps, up to most_steps_
    std::vector<std::int64_t> any_steps;  // [number]: for any number of steps
  };
  struct Graph;

  static Graph make_graph(const Projection& projection);
  void add_table(const Projection& projection, const Graph& graph, const StepWeights& weights, int horizon);

  std::vector<Table> tables_;
  std::uint32_t most_steps_ = 0;
  // [steps]: how much less than the tables say this many last steps can cost.
  std::vector<std::int64_t> rest_;
  std::int64_t per_step_ = 0;  // per step; never positive
};

}  // namespace bnnplan::engines
