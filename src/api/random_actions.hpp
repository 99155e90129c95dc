#pragma once

#include <optional>

#include "bnnplan/rddl/simulate/action_sampler.hpp"
#include "bnnplan/rddl/simulate/open_actions.hpp"

namespace bnnplan {

// Legal joint actions at random, of any domain: every one with the same probability where each action
// variable has a known range. Keeps references to both arguments.
class RandomActions {
 public:
  RandomActions(rddl::Simulator& domain, SimulationRandom& random);
  RandomActions(const RandomActions&) = delete;
  RandomActions& operator=(const RandomActions&) = delete;

  // False if none is found.
  bool draw(const rddl::StateValues& state, rddl::ActionValues& action);

 private:
  rddl::BitLayout ranges_;
  std::optional<rddl::ActionSampler> uniform_;
  std::optional<rddl::OpenActions> open_;
};

}  // namespace bnnplan
