// Which of the two samplers draws: the uniform one has to know a range of every action variable.
#include "bnnplan/api/random_actions.hpp"

#include <algorithm>

namespace bnnplan {

RandomActions::RandomActions(rddl::Simulator& domain, SimulationRandom& random)
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

bool RandomActions::draw(const rddl::StateValues& state, rddl::ActionValues& action) {
  return uniform_ ? uniform_->draw(state, action) : open_->draw(state, action);
}

}  // namespace bnnplan
