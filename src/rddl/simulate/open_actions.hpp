#pragma once

#include <cstdint>
#include <vector>

#include "bnnplan/base/random.hpp"
#include "bnnplan/rddl/ground/bit_layout.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan::rddl {

// Draws legal joint actions if some action variables are real or have no range.
class OpenActions {
 public:
  // Keeps references. The layout holds the known ranges.
  OpenActions(Simulator& simulator, const BitLayout& layout, SimulationRandom& random);

  // An action that is legal in this state, or false if none was found.
  bool draw(const StateValues& state, ActionValues& action);

 private:
  // An action variable is at most, or at least, the value of a node that depends only on the state.
  struct Bound {
    std::uint32_t action;
    NodeId limit;
    bool upper, negated;
  };

  void read_comparison(NodeId small, NodeId large);
  bool depends_on_state_alone(NodeId node) const;
  void find_limits(const StateValues& state);
  std::int64_t draw_value(std::size_t variable);

  Simulator& simulator_;
  const BitLayout& layout_;
  SimulationRandom& random_;
  std::vector<Bound> bounds_;
  std::vector<double> low_, high_;  // per action variable, in the current state
  std::vector<std::int64_t> values_;
  std::vector<std::uint32_t> order_;
};

}  // namespace bnnplan::rddl
