#pragma once

#include "bnnplan/discover/world.hpp"
#include "bnnplan/problem/problem.hpp"
#include "bnnplan/rddl/simulate/replay.hpp"
#include "bnnplan/rddl/simulate/simulator.hpp"

namespace bnnplan::discovery {

// A domain in RDDL as the world.
class SimulatorWorld : public World {
 public:
  // Keeps a reference to the simulator, whose domain must not be random. Throws InputError if the problem
  // does not belong to the domain.
  SimulatorWorld(rddl::Simulator& simulator, const Problem& problem);

  std::optional<BitValues> next(const BitValues& state, const BitValues& action, std::string& why) override;

 private:
  rddl::Simulator& simulator_;
  rddl::ProblemBinding binding_;
  std::size_t bits_;
};

}  // namespace bnnplan::discovery
