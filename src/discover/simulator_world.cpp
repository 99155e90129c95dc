// The world as an RDDL domain defines it. Variables that the problem has beyond those of the domain (parts of
// the reward, added by compilation) are left open.
#include "bnnplan/discover/simulator_world.hpp"

namespace bnnplan::discovery {

SimulatorWorld::SimulatorWorld(rddl::Simulator& simulator, const Problem& problem)
    : simulator_(simulator), binding_(simulator.model(), problem), bits_(problem.state.bit_count()) {}

std::optional<BitValues> SimulatorWorld::next(const BitValues& state, const BitValues& action,
                                              std::string& why) {
  const rddl::StateValues from = binding_.state_values(state, simulator_.initial_state());
  const rddl::ActionValues by = binding_.action_values(action);
  if (!simulator_.legal(from, by)) {
    why = simulator_.illegal_because(from, by);
    return std::nullopt;
  }
  BitValues next(bits_, unknown_bit);
  binding_.put_state(simulator_.step(from, by), next);
  return next;
}

}  // namespace bnnplan::discovery
