#pragma once

#include <algorithm>
#include <optional>

#include "bnnplan/rddl/simulate/action_sampler.hpp"
#include "bnnplan/rddl/simulate/open_actions.hpp"

namespace bnnplan {

// Legal joint actions at random, of any domain: every one with the same probability where each action
// variable has a known range. Keeps references to both arguments.
class RandomActions {
 public:
  RandomActions(rddl::Simulator& domain, SimulationRandom& random)
      : ranges_(rddl::make_known_ranges(domain.model())) {
    const rddl::GroundModel& model = domain.model();
    const auto first = ranges_.ranges.begin() + model.first_action();
    const bool bounded = std::all_of(first, first + static_cast<std::ptrdiff_t>(model.action.size()),
                                     [](const rddl::Interval& range) { return range.known; });
    if (bounded) {
      uniform_.emplace(domain, ranges_, random);
    } else {
      open_.emplace(domain, ranges_, random);
    }
  }
  RandomActions(const RandomActions&) = delete;
  RandomActions& operator=(const RandomActions&) = delete;

  // False if none is found.
  bool draw(const rddl::StateValues& state, rddl::ActionValues& action) {
    return uniform_ ? uniform_->draw(state, action) : open_->draw(state, action);
  }

 private:
  rddl::BitLayout ranges_;
  std::optional<rddl::ActionSampler> uniform_;
  std::optional<rddl::OpenActions> open_;
};

}  // namespace bnnplan
