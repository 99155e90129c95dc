// An episode of a domain. Luck and drawn actions have sources of their own, so that what the world does depends on the seed
// and on the actions alone, however they were chosen.
#include <algorithm>
#include <optional>
#include <utility>

#include <bnnplan/episode.hpp>

#include "rddl/simulate/action_sampler.hpp"
#include "rddl/simulate/open_actions.hpp"

namespace bnnplan {

struct Episode::Course {
  Course(Simulator simulator, std::uint64_t seed)
      : domain(std::move(simulator)), luck(seed), choices(seed + 1), state(domain.initial_state()) {}

  // Where every action variable has a known range, all legal joint actions are drawn alike.
  void prepare_actions() {
    const GroundModel& model = domain.model();
    ranges = make_known_ranges(model);
    const auto first = ranges.ranges.begin() + model.first_action();
    const bool bounded = std::all_of(first, first + static_cast<std::ptrdiff_t>(model.action.size()),
                                     [](const Interval& range) { return range.known; });
    if (bounded) {
      uniform.emplace(domain, ranges, choices);
    } else {
      open.emplace(domain, ranges, choices);
    }
  }

  Simulator domain;
  SimulationRandom luck, choices;
  StateValues state, next;
  BitLayout ranges;  // it and what follows: made when an action is first drawn
  std::optional<ActionSampler> uniform;
  std::optional<OpenActions> open;
};

Episode::Episode(Simulator domain, std::uint64_t seed)
    : course_(std::make_unique<Course>(std::move(domain), seed)) {}
Episode::Episode(Episode&&) noexcept = default;
Episode& Episode::operator=(Episode&&) noexcept = default;
Episode::~Episode() = default;

const Simulator& Episode::domain() const { return course_->domain; }
const StateValues& Episode::state() const { return course_->state; }

void Episode::restart(std::uint64_t seed) {
  course_->luck.seed(seed);
  course_->choices.seed(seed + 1);
  course_->state = course_->domain.initial_state();
}

bool Episode::ended() const {
  const Course& course = *course_;
  return course.domain.terminated(course.state) || !broken_invariant().empty() ||
         !course.domain.dead_because(course.state).empty();
}

std::string Episode::broken_invariant() const { return course_->domain.broken_invariant(course_->state); }

double Episode::act(const ActionValues& action) {
  Course& course = *course_;
  course.domain.step(course.state, action, course.next, &course.luck);
  const double reward = course.domain.step_reward(&course.luck).real;
  std::swap(course.state, course.next);
  return reward;
}

bool Episode::draw_legal(ActionValues& action) {
  Course& course = *course_;
  if (!course.uniform && !course.open) course.prepare_actions();
  return course.uniform ? course.uniform->draw(course.state, action)
                        : course.open->draw(course.state, action);
}

}  // namespace bnnplan
