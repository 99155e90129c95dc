// An episode of a domain. Luck and drawn actions have sources of their own, so that what the world does
// depends on the seed and on the actions alone, however they were chosen.
#include <optional>
#include <utility>

#include <bnnplan/episode.hpp>

#include "bnnplan/api/random_actions.hpp"

namespace bnnplan {

struct Episode::Course {
  Course(Simulator simulator, std::uint64_t seed)
      : domain(std::move(simulator)), luck(seed), choices(seed + 1), state(domain.initial_state()) {}

  Simulator domain;
  SimulationRandom luck, choices;
  StateValues state, next;
  std::optional<RandomActions> actions;  // made when one is first drawn
};

Episode::Episode(Simulator domain, std::uint64_t seed)
    : course_(std::make_unique<Course>(std::move(domain), seed)) {}
Episode::Episode(Episode&&) noexcept = default;
Episode& Episode::operator=(Episode&&) noexcept = default;
Episode::~Episode() = default;

Simulator& Episode::domain() { return course_->domain; }
const Simulator& Episode::domain() const { return course_->domain; }
const StateValues& Episode::state() const { return course_->state; }

void Episode::restart(std::uint64_t seed) {
  course_->luck.seed(seed);
  course_->choices.seed(seed + 1);
  course_->state = course_->domain.initial_state();
}

bool Episode::ended() {
  Course& course = *course_;
  return course.domain.terminated(course.state) || !broken_invariant().empty() ||
         !course.domain.dead_because(course.state).empty();
}

std::string Episode::broken_invariant() { return course_->domain.broken_invariant(course_->state); }

double Episode::act(const ActionValues& action) {
  Course& course = *course_;
  course.domain.step(course.state, action, course.next, &course.luck);
  const double reward = course.domain.step_reward(&course.luck).real;
  std::swap(course.state, course.next);
  return reward;
}

bool Episode::draw_legal(ActionValues& action) {
  Course& course = *course_;
  if (!course.actions) course.actions.emplace(course.domain, course.choices);
  return course.actions->draw(course.state, action);
}

}  // namespace bnnplan
